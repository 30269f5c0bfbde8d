import type { ReferenceKind } from '@instep/contract/lookups.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The name of a kind of lookup values, in the plural. */
export const useKindWords = (): ((kind: ReferenceKind) => string) => {
  const { t } = useTranslation('settings')
  return useCallback((kind) => t(`kinds.${kind}`), [t])
}
