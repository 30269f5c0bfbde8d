import type { Delivery } from '@instep/contract/user-form.ts'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { PHONE_COUNTRIES, phoneCountryOf } from '../../shared/phone-countries.ts'
import { ChoiceInput, TextInput } from './form-inputs.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import { accountTypeOf, contactOf, DELIVERY_CHOICES, withDelivery } from './user-form.rules.ts'

/** How the access code reaches the person. */
export function FormContact() {
  const { t } = useTranslation(['profile', 'common'])
  const editor = useEditor()
  const { form, before } = editor
  const contact = contactOf(form)
  const named = (delivery: Delivery) => (delivery === 'none' ? t('form.none') : t(`common:delivery.${delivery.replace('.', '_')}`))
  return (
    <FieldSection title={t('contact.title')} hint={t('contact.hint')}>
      {accountTypeOf(form) === 'accessCode' && (
        <ChoiceInput
          unit="accessCodeDelivery"
          value={form.accessCodeDelivery}
          options={DELIVERY_CHOICES.map((value) => ({ value, label: named(value) }))}
          onChange={(value) => editor.update((was) => withDelivery(was, value as Delivery, before))}
        />
      )}
      {contact === 'email' && <TextInput unit="email" type="email" />}
      {contact === 'phoneNumber' && (before ? <TextInput unit="phoneNumber" type="tel" hint={t('form.phoneHint')} /> : <PhoneInput />)}
    </FieldSection>
  )
}

/** A number with the country it is of, until it says so itself. */
function PhoneInput() {
  const { t } = useTranslation('profile')
  const { typed, changeTyped } = useEditor()
  const { locale } = useFormat()
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  return (
    <div className={styles.phone}>
      <SelectField
        label={t('form.phoneCountry')}
        value={typed.phoneCountry}
        options={PHONE_COUNTRIES.map(({ country, prefix }) => ({
          value: country,
          label: `${names.of(country) ?? country} (\u2066${prefix}\u2069)`,
        }))}
        onChange={(country) => changeTyped({ phoneCountry: phoneCountryOf(country) })}
      />
      <TextInput unit="phoneNumber" type="tel" />
    </div>
  )
}
