import { FieldSection } from '@instep/ui/field-section.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'
import { DateInput } from './date-input.tsx'
import { TextInput, useInput } from './form-inputs.tsx'
import { LanguageInput } from './language-input.tsx'
import { DepartmentInput, LookupInput, TitleInput } from './lookup-input.tsx'
import styles from './person.module.css'
import { ReferenceInput } from './reference-input.tsx'
import { useEditor } from './use-person-editor.ts'
import type { Unit } from './user-form.units.ts'

/** Where the person stands in the organisation. */
export function FormWork() {
  const { t } = useTranslation('profile')
  const { sourced } = useEditor()
  return (
    <FieldSection title={t('hr.title')} hint={sourced ? t('hr.hintSourced') : t('hr.hint')}>
      <LookupInput unit="locationName" kind="Location" />
      <DepartmentInput />
      <TitleInput />
      <LookupInput unit="division" kind="Division" />
      <LookupInput unit="organization" kind="Organization" />
      <ReferenceInput unit="manager" />
      <More />
    </FieldSection>
  )
}

const MORE = [
  'displayName',
  'userType',
  'costCenter',
  'employmentType',
  'approver',
  'leader',
  'locality',
  'country',
  'gender',
  'dateOfBirth',
  'endDate',
  'customField1',
  'customField2',
  'externalPartnerCompany',
  'locale',
  'timezone',
] as const satisfies readonly Unit[]

/** The rarely used fields, behind a button until one of them needs attention. */
function More() {
  const { t } = useTranslation('profile')
  const { hasProblem } = useEditor()
  const id = useId()
  const [wanted, setWanted] = useState(false)
  const open = wanted || hasProblem(MORE)
  return (
    <>
      <button type="button" className={styles.more} aria-expanded={open} aria-controls={id} onClick={() => setWanted(!open)}>
        <Icon of={IconChevronDown} className={open ? styles.turned : undefined} />
        {t('hr.more')}
      </button>
      {open && (
        <div id={id} className={styles.moreFields}>
          <MoreFields />
        </div>
      )}
    </>
  )
}

function MoreFields() {
  const { t } = useTranslation('profile')
  const { form, before } = useEditor()
  const derived = `${form.givenName} ${form.familyName}`.trim()
  return (
    <>
      <TextInput unit="displayName" placeholder={derived} />
      <LookupInput unit="userType" kind="UserType" />
      <LookupInput unit="costCenter" kind="CostCenter" />
      <LookupInput unit="employmentType" kind="EmploymentType" />
      <ReferenceInput unit="approver" />
      <TextInput unit="leader" type="email" />
      <LookupInput unit="locality" kind="Locality" />
      <LookupInput unit="country" kind="Country" />
      <TextInput unit="gender" />
      <OtherDate unit="dateOfBirth" />
      <OtherDate unit="endDate" />
      <TextInput unit="customField1" />
      <TextInput unit="customField2" />
      <TextInput unit="externalPartnerCompany" />
      <LanguageInput unit="locale" optional />
      <TimeZoneInput />
      {before?.extension.externalIdPrefix && <TextInput unit="employeeIdPrefix" />}
      {before?.ssoData && (
        <div className={styles.wide}>
          <TextField label={t('form.ssoData')} readOnly value={JSON.stringify(before.ssoData)} onChange={() => undefined} />
        </div>
      )}
    </>
  )
}

function OtherDate({ unit }: { unit: 'dateOfBirth' | 'endDate' }) {
  const { editor, editable, field, leave } = useInput(unit)
  return (
    <DateInput field={field} readOnly={!editable} value={editor.form[unit]} onChange={(text) => editor.set(unit, text)} onLeave={leave} />
  )
}

function TimeZoneInput() {
  const { editor, editable, field, leave } = useInput('timezone')
  const value = editor.form.timezone
  if (!editable) return <TextField {...field} readOnly value={value} onChange={() => undefined} />
  return <TimeZoneField {...field} value={value} onChange={(zone) => editor.set('timezone', zone)} onBlur={leave} />
}
