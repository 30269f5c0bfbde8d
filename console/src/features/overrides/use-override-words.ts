import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { languageName } from '../../shared/language-name.ts'

const isUserField = (field: string): field is UserFieldName => Object.hasOwn(USER_FIELDS, field)

/** Names and values of overridden fields in the reader's language. */
export const useOverrideWords = () => {
  const { t } = useTranslation(['overrides', 'people', 'common'])
  const { date, locale } = useFormat()
  return useMemo(() => {
    const textOf = (field: string, value: string): string => {
      const type = isUserField(field) ? USER_FIELDS[field].type : 'text'
      if (type === 'date') return date(value)
      if (type === 'language') return languageName(value, locale)
      if (type === 'delivery') return value === 'none' ? t('noDelivery') : t(`common:delivery.${value.replace('.', '_')}`)
      return value
    }
    return {
      labelOf: (field: string): string => t([`fields.${field}`, `people:fields.${field}`], { defaultValue: field }),
      /** Null for nothing. */
      valueText: (field: string, value: unknown): string | null => {
        if (value === null || value === undefined || value === '') return null
        if (typeof value === 'boolean') return t(value ? 'active' : 'inactive')
        if (typeof value === 'string') return textOf(field, value)
        if (typeof value === 'object') {
          return new Intl.ListFormat(locale, { type: 'unit' }).format(
            Object.values(value)
              .filter((one) => one !== null)
              .map(String),
          )
        }
        return String(value)
      },
    }
  }, [t, date, locale])
}
