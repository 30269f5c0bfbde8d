import type { ExpressionReason } from '@instep/contract/expression-engine.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

interface Told {
  readonly detail?: string | null | undefined
  readonly because?: ExpressionReason['because'] | null | undefined
}

/** Why an expression failed, in the reader's language; what the expression itself says (`$error`) as it says it. */
export const useDetail = () => {
  const { t } = useTranslation('expression')
  return useCallback(
    ({ detail, because }: Told): string => (because ? t(because.code, { ...because.params, defaultValue: detail ?? '' }) : (detail ?? '')),
    [t],
  )
}
