import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import { attributesText } from './attributes-text.ts'
import { useClaimFields } from './use-claim-fields.ts'
import { useValueWords } from './use-value-words.ts'

/** How a record of a change names what changed, and writes its values; security attributes by name where some are `among` what changed. */
export const useChangeWords = (among: readonly string[] = []) => {
  const { t, i18n } = useTranslation(['people', 'common'])
  const textOf = useValueWords()
  const { date } = useFormat()
  const attributes = useClaimFields({ enabled: among.includes('claimFields') }).data?.claimFields ?? []
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
      return field === 'claimFields' ? attributesText(value, { attributes, date }) : JSON.stringify(value)
    },
  }
}
