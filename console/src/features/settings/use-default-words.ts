import type { DefaultField } from '@instep/contract/settings.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { languageName } from '../../shared/language-name.ts'
import { PHONE_COUNTRIES, phoneCountryOf } from '../../shared/phone-countries.ts'

/** Names and values of the fields that can have a default, in the reader's language. */
export const useDefaultWords = () => {
  const { t } = useTranslation(['settings', 'people', 'common'])
  const { locale } = useFormat()
  const countryText = (country: string): string => {
    const prefix = PHONE_COUNTRIES.find((one) => one.country === country)?.prefix
    const name = new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country
    return prefix ? `${name} (\u2066${prefix}\u2069)` : name
  }
  return {
    labelOf: (field: DefaultField): string => t(field === 'phoneCountry' ? 'defaults.phoneCountry' : `people:fields.${field}`),
    /** Null for nothing. */
    valueText: (field: DefaultField, value: string | null): string | null => {
      // a number is read as of the first country where nothing says otherwise
      if (field === 'phoneCountry') return countryText(phoneCountryOf(value ?? ''))
      if (value === null || value === '') return null
      if (field === 'preferredLanguage') return languageName(value, locale)
      if (field !== 'accessCodeDelivery') return value
      return value === 'none' ? t('defaults.noDelivery') : t(`common:delivery.${value.replace('.', '_')}`)
    },
  }
}
