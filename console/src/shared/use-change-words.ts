import { useTranslation } from 'react-i18next'
import { useValueWords } from './use-value-words.ts'

/** How a record of a change names what changed, and writes its values. */
export const useChangeWords = () => {
  const { t, i18n } = useTranslation(['people', 'common'])
  const textOf = useValueWords()
  const fieldName = (field: string) => (i18n.exists(`people:fields.${field}`) ? t(`fields.${field}`) : field)
  return {
    /** A field in words; `title.until` is the last day of its override. */
    nameOf: (key: string): string => {
      const [, field, term] = /^(\w+)\.(reason|until)$/.exec(key) ?? []
      return field && term ? t(`overrideTerm.${term as 'reason' | 'until'}`, { field: fieldName(field) }) : fieldName(key)
    },
    /** A value of a field as it is shown; null for none. */
    written: (field: string, value: unknown): string | null => {
      if (field === 'siteId' && value === null) return t('unassigned')
      if (value === null || value === undefined) return null
      if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
      if (field === 'employment' && typeof value === 'string') return t(`employment.${value}`)
      if (typeof value === 'string') return textOf(field, value)
      // by attribute; their ids are nothing to read
      return field === 'claimFields' ? Object.values(value).filter(Boolean).join(', ') || null : JSON.stringify(value)
    },
  }
}
