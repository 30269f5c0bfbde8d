import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { attributesText } from '../../shared/attributes-text.ts'
import { useClaimFields } from '../../shared/use-claim-fields.ts'
import { useValueWords } from '../../shared/use-value-words.ts'

/** Names and values of overridden fields in the reader's language. */
export const useOverrideWords = () => {
  const { t } = useTranslation(['overrides', 'people', 'common'])
  const { date } = useFormat()
  const attributes = useClaimFields().data?.claimFields
  const textOf = useValueWords()
  return useMemo(() => {
    return {
      labelOf: (field: string): string => t([`fields.${field}`, `people:fields.${field}`], { defaultValue: field }),
      /** Null for nothing. */
      valueText: (field: string, value: unknown): string | null => {
        if (value === null || value === undefined || value === '') return null
        if (typeof value === 'boolean') return t(value ? 'active' : 'inactive')
        if (typeof value === 'string') return textOf(field, value)
        if (typeof value === 'object') return attributesText(value, { attributes: attributes ?? [], date })
        return String(value)
      },
    }
  }, [t, textOf, date, attributes])
}
