import type { TFunction } from 'i18next'
import { ApiProblem } from './api-problem.ts'
import { MISSING_IDS } from './missing-ids.ts'

/**
 * A failure in words, from the `problems` namespace by its code. An expired session says so; anything unknown is "Error 500". Load the
 * namespace first: `useTranslation('problems')`, or use `ProblemNotice` or `useProblemText`.
 */
export const problemText = (error: unknown, t: TFunction): string => {
  if (error instanceof ApiProblem) {
    if ((MISSING_IDS as readonly string[]).includes(error.code)) return t(`shell:problem.${error.code}`)
    const client = error.code === 'OFFLINE' || error.code === 'UNREADABLE'
    const fallback = t('common:error500')
    return client ? t(`common:problem.${error.code}`) : t(`problems:${error.code}`, { ...error.params, defaultValue: fallback })
  }
  if (error instanceof Error && error.name === 'SessionExpiredError') return t('common:sessionExpired')
  return t('common:error500')
}
