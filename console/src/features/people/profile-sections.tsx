import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { getUser } from '@instep/contract/users.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { DeliveryMark } from '../../shared/delivery-mark.tsx'

export type Person = ResponseOf<typeof getUser>

export interface ProfileSection {
  readonly title: string
  readonly hint?: string
  readonly fields: readonly { label: string; value: ReactNode; overridden: boolean }[]
}

/** Names of preferred languages in the reader's own language; a tag that is none stays as it is. */
const languageName = (tag: string | null, locale: string): string | null => {
  if (!tag) return null
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag.replace('_', '-')) ?? tag
  } catch {
    return tag
  }
}

/** The sections of the user drawer with their fields in the order of the form: basic info, contact, HR, and the rarely used ones that are set. */
export const useProfileSections = (person: Person): ProfileSection[] => {
  const { t } = useTranslation('people')
  const { date, locale } = useFormat()
  const { enterprise, extension } = person
  const day = (value: string | null) => value && <bdi>{date(value)}</bdi>
  const machine = (value: string | null | undefined) => value && <bdi>{value}</bdi>
  const [address] = person.addresses
  const email = (type: string) => person.emails.find((one) => one.type === type)?.value
  const phone = (type: string) => person.phoneNumbers.find((one) => one.type === type)?.value
  // an override is named by the field of the API shape; a null one is none
  const field = (key: string, value: ReactNode, override: string = key) => ({
    label: t(`fields.${key}`),
    value,
    overridden: (person.overrides[override] ?? null) !== null,
  })
  const rare = [
    field('userType', person.userType),
    field('userName', machine(person.userName)),
    field('costCenter', enterprise.costCenter),
    field('approver', machine(enterprise.approver?.value)),
    field('leader', machine(enterprise.leader?.value)),
    field('locality', address?.locality ?? null, 'addresses'),
    field('country', address?.country ?? null, 'addresses'),
    field('gender', extension.gender),
    field('employmentType', extension.employmentType),
    field('dateOfBirth', day(extension.dateOfBirth)),
    field('customField1', extension.customField1),
    field('customField2', extension.customField2),
    field('externalPartnerCompany', extension.externalPartnerCompany),
    field('locale', person.locale),
    field('timezone', person.timezone),
    field('endDate', day(person.endDate)),
  ].filter(({ value }) => value !== null && value !== undefined)
  return [
    {
      title: t('profile.basic.title'),
      hint: t('profile.basic.hint'),
      fields: [
        field('externalId', machine(person.externalId)),
        field('employeeNumber', machine(enterprise.employeeNumber)),
        field('givenName', person.name.givenName, 'name'),
        field('familyName', person.name.familyName, 'name'),
        field('preferredLanguage', languageName(person.preferredLanguage, locale)),
        field('startDate', day(person.startDate)),
      ],
    },
    {
      title: t('profile.contact.title'),
      hint: t('profile.contact.hint'),
      fields: [
        field('accessCodeDelivery', <DeliveryMark delivery={extension.accessCodeDelivery} showLabel />),
        field('workEmail', machine(email('work')), 'email'),
        field('personalEmail', machine(email('personal')), 'email'),
        field('personalPhone', machine(phone('personal')), 'phoneNumber'),
        field('workPhone', machine(phone('work')), 'phoneNumber'),
      ],
    },
    {
      title: t('profile.hr.title'),
      hint: t('profile.hr.hint'),
      fields: [
        field('locationName', address?.formatted ?? null, 'addresses'),
        field('department', enterprise.department),
        field('title', person.title),
        field('division', enterprise.division),
        field('organization', enterprise.organization),
        field('manager', machine(enterprise.manager?.value)),
      ],
    },
    ...(rare.length > 0 ? [{ title: t('profile.more.title'), fields: rare }] : []),
  ]
}
