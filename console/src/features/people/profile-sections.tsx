import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { DeliveryMark } from '../../shared/delivery-mark.tsx'
import { languageName } from '../../shared/language-name.ts'
import { ProfileManager } from './profile-manager.tsx'

export interface ProfileField {
  /** The field's name in the form model; a security attribute as `claimFields.<id>`. */
  readonly name: string
  readonly label: string
  readonly value: ReactNode
  /** A security attribute that is a day. */
  readonly isDay?: boolean
}

export interface ProfileSection {
  readonly title: string
  readonly hint?: string
  readonly fields: readonly ProfileField[]
}

/** The sections of the user drawer with their fields in the order of the form; rarely used ones only where they hold something. */
export const useProfileSections = (person: UserDetails, claims: readonly ClaimField[]): ProfileSection[] => {
  const { t } = useTranslation(['profile', 'people'])
  const { date, locale } = useFormat()
  const { enterprise, extension } = person
  const day = (value: string | null | undefined) => value && <bdi>{date(value)}</bdi>
  const machine = (value: string | null | undefined) => value && <bdi>{value}</bdi>
  const [address] = person.addresses
  const email = (type: string) => person.emails.find((one) => one.type === type)?.value
  const phone = (type: string) => person.phoneNumbers.find((one) => one.type === type)?.value
  const field = (name: string, value: ReactNode): ProfileField => ({ name, label: t(`people:fields.${name}`), value })
  const rare = [
    field('displayName', person.displayName === person.name.formatted ? null : person.displayName),
    field('userType', person.userType),
    field('userName', machine(person.userName)),
    field('externalReferenceId', machine(person.externalReferenceId)),
    field('externalIdPrefix', machine(extension.externalIdPrefix)),
    field('costCenter', enterprise.costCenter),
    field('approver', machine(enterprise.approver?.value)),
    field('leader', machine(enterprise.leader?.value)),
    field('locality', address?.locality ?? null),
    field('country', address?.country ?? null),
    field('gender', extension.gender),
    field('employmentType', extension.employmentType),
    field('dateOfBirth', day(extension.dateOfBirth)),
    field('customField1', extension.customField1),
    field('customField2', extension.customField2),
    field('externalPartnerCompany', extension.externalPartnerCompany),
    field('locale', person.locale && languageName(person.locale, locale)),
    field('timezone', person.timezone),
    field('endDate', day(person.endDate)),
  ].filter(({ value }) => value !== null && value !== undefined && value !== '')
  const attributes = claims.map(({ id, displayName, type }) => {
    const value = extension.claimFields[id]
    const isDay = type === 'date'
    return { name: `claimFields.${id}`, label: displayName, value: isDay ? day(value) : machine(value), isDay }
  })
  return [
    {
      title: t('basic.title'),
      hint: t('basic.hint'),
      fields: [
        field('externalId', machine(person.externalId)),
        field('employeeNumber', machine(enterprise.employeeNumber)),
        field('givenName', person.name.givenName),
        field('familyName', person.name.familyName),
        field('preferredLanguage', person.preferredLanguage && languageName(person.preferredLanguage, locale)),
        field('startDate', day(person.startDate)),
      ],
    },
    {
      title: t('contact.title'),
      hint: t('contact.hint'),
      fields: [
        field('accessCodeDelivery', <DeliveryMark delivery={extension.accessCodeDelivery} showLabel />),
        field('workEmail', machine(email('work'))),
        field('personalEmail', machine(email('personal'))),
        field('personalPhone', machine(phone('personal'))),
        field('workPhone', machine(phone('work'))),
      ],
    },
    {
      title: t('hr.title'),
      fields: [
        field('locationName', address?.formatted ?? null),
        field('department', enterprise.department),
        field('title', person.title),
        field('division', enterprise.division),
        field('organization', enterprise.organization),
        field('manager', <ProfileManager person={person} />),
        ...rare,
      ],
    },
    ...(attributes.length > 0 ? [{ title: t('claims.title'), hint: t('claims.hint'), fields: attributes }] : []),
  ]
}
