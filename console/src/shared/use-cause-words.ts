import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Why an account is not in step, in words; the code itself where there are none. */
export const useCauseWords = (): ((cause: string) => string) => {
  const { t } = useTranslation('targets')
  return useCallback((cause: string) => t(`causes.${cause}`, { defaultValue: cause }), [t])
}
