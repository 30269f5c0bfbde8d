import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import { languageName } from './language-name.ts'
import { useScope } from './scope.tsx'

const typeOf = (field: string) => (Object.hasOwn(USER_FIELDS, field) ? USER_FIELDS[field as UserFieldName].type : 'text')

/** A text of a person's field as people read it: dates, languages, sites and choices in the reader's words, all else as it stands. */
export const useValueWords = () => {
  const { t } = useTranslation(['people', 'common'])
  const { date, locale } = useFormat()
  const { sites } = useScope()
  return useMemo(
    () =>
      (field: string, value: string): string => {
        const type = typeOf(field)
        if (type === 'date' || field.endsWith('.until')) return date(value)
        if (type === 'language') return languageName(value, locale)
        if (type === 'delivery') return value === 'none' ? t('value.noDelivery') : t(`common:delivery.${value.replace('.', '_')}`)
        if (type === 'referenceType') return t(value === 'email' ? 'value.byEmail' : 'fields.externalId')
        if (field === 'siteId') return sites?.find(({ id }) => id === value)?.name ?? t('value.otherSite')
        return value
      },
    [t, date, locale, sites],
  )
}
