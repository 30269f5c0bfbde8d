import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Guards by their names, as one phrase; a site's are named without the site. */
export const useGuardNames = (): ((guards: readonly string[]) => string) => {
  const { t } = useTranslation('guards')
  return useCallback((guards) => guards.map((name) => t(`names.${name.replace(/^sites\.[^.]+\./, 'sites.')}`)).join(', '), [t])
}
