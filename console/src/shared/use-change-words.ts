import { useTranslation } from 'react-i18next'

/** How a record of a change names what changed, and writes its values. */
export const useChangeWords = () => {
  const { t, i18n } = useTranslation(['people', 'common'])
  const fieldName = (field: string) => (i18n.exists(`people:fields.${field}`) ? t(`fields.${field}`) : field)
  return {
    /** A field in words; `title.until` is the last day of its override. */
    nameOf: (key: string): string => {
      const [, field, term] = /^(\w+)\.(reason|until)$/.exec(key) ?? []
      return field && term ? t(`overrideTerm.${term as 'reason' | 'until'}`, { field: fieldName(field) }) : fieldName(key)
    },
    /** A value as it is shown; null for none. */
    written: (value: unknown): string | null => {
      if (value === null || value === undefined) return null
      if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
  }
}
