import type { ReferenceKind } from '@instep/contract/lookups.ts'
import type { DefaultField } from '@instep/contract/settings.ts'
import { DELIVERIES } from '@instep/contract/user-fields.ts'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LOCALES } from '../../i18n/locales.gen.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { languageName } from '../../shared/language-name.ts'
import { PHONE_COUNTRIES } from '../../shared/phone-countries.ts'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'
import type { Counting } from './defaults.rules.ts'
import { LookupField } from './lookup-field.tsx'
import { useDefaultWords } from './use-default-words.ts'

interface DefaultInputProps {
  field: DefaultField
  label: string
  /** Null: set to nothing here; undefined: inherited. */
  value: string | null | undefined
  inherited: Counting | undefined
  readOnly: boolean
  error: string | undefined
  onText: (text: string) => void
  /** Inherits again. */
  onReset: () => void
}

const LOOKUPS: Partial<Record<DefaultField, ReferenceKind>> = {
  locationName: 'Location',
  department: 'Department',
  title: 'JobTitle',
  division: 'Division',
  organization: 'Organization',
  locality: 'Locality',
  country: 'Country',
  userType: 'UserType',
  employmentType: 'EmploymentType',
}

/** The choice of setting a field to nothing; no value of a field looks like it. */
const NOTHING = '-'

/** The input of one field, by what it holds. */
export function DefaultInput(props: DefaultInputProps) {
  const { field, label, value, readOnly, error, onText } = props
  const { t } = useTranslation('settings')
  const words = useDefaultWords()
  const note = value === null ? t('defaults.setToNothing') : undefined
  if (readOnly) {
    const shown = value === undefined ? '' : (words.valueText(field, value) ?? t('defaults.nothing'))
    return <TextField label={label} readOnly placeholder={t('defaults.notSet')} value={shown} onChange={() => undefined} />
  }
  const kind = LOOKUPS[field]
  const shared = { label, note, error, value: value ?? '', onChange: onText }
  if (kind) return <LookupField {...shared} kind={kind} />
  if (field === 'timezone') return <TimeZoneField {...shared} />
  return <ChoiceInput {...props} />
}

/** A choice of a few, with "inherited" as the first. */
function ChoiceInput({ field, label, value, inherited, error, onText, onReset }: DefaultInputProps) {
  const { t } = useTranslation('settings')
  const { locale } = useFormat()
  const words = useDefaultWords()
  const choices = useMemo((): string[] => {
    if (field === 'accessCodeDelivery') return [...DELIVERIES]
    if (field === 'phoneCountry') return PHONE_COUNTRIES.map(({ country }) => country)
    return LOCALES.map((one) => one.value).toSorted((one, other) =>
      languageName(one, locale).localeCompare(languageName(other, locale), locale),
    )
  }, [field, locale])
  const known = value == null || choices.includes(value) ? choices : [...choices, value]
  const inheritedText = inherited && words.valueText(field, inherited.value)
  return (
    <SelectField
      label={label}
      error={error}
      value={value === null ? NOTHING : (value ?? '')}
      options={[
        { value: '', label: inheritedText ? t('defaults.inherit', { value: inheritedText }) : t('defaults.notSet') },
        ...(field === 'preferredLanguage' ? [{ value: NOTHING, label: t('defaults.nothing') }] : []),
        ...known.map((choice) => ({ value: choice, label: words.valueText(field, choice) ?? choice })),
      ]}
      onChange={(choice) => (choice === '' ? onReset() : onText(choice === NOTHING ? '' : choice))}
    />
  )
}
