import type { ClaimField } from '@instep/contract/settings.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The name of a security attribute: one that reads a field of the profile is called as the field is. */
export const useAttributeText = (): ((attribute: Pick<ClaimField, 'field' | 'displayName'>) => string) => {
  const { t } = useTranslation(['people'])
  return useCallback(
    ({ field, displayName }) => (field === null ? displayName : t(`people:fields.${field}`, { defaultValue: displayName })),
    [t],
  )
}
