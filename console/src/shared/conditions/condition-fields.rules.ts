/** Which heading a field stands under where it is picked. */
const GROUPS = {
  person: [
    'displayName',
    'givenName',
    'familyName',
    'externalId',
    'employeeNumber',
    'externalReferenceId',
    'externalIdPrefix',
    'userName',
    'preferredLanguage',
    'locale',
    'timezone',
    'gender',
    'dateOfBirth',
  ],
  contact: ['workEmail', 'personalEmail', 'workPhone', 'personalPhone', 'accessCodeDelivery'],
  account: [
    'active',
    'status',
    'claimState',
    'locked',
    'vip',
    'overridden',
    'invitedAt',
    'claimedAt',
    'deactivatedAt',
    'createdAt',
    'updatedAt',
    'ingestionType',
    'connectorId',
    'siteId',
    'siteGroupId',
  ],
} as const

type Group = keyof typeof GROUPS | 'work' | 'security'
const ORDER: readonly Group[] = ['work', 'person', 'contact', 'account', 'security']

const groupOf = (field: string): Group => {
  if (field.startsWith('claimFields.')) return 'security'
  const named = Object.entries(GROUPS).find(([, fields]) => (fields as readonly string[]).includes(field))
  return named ? (named[0] as Group) : 'work'
}

/** Fields by heading, headings without fields left out; a `chosen` one that there is none of any more stands last. */
export const fieldGroups = (fields: readonly string[], chosen: string): { group: Group; fields: string[] }[] => {
  const all = chosen === '' || fields.includes(chosen) ? fields : [...fields, chosen]
  return ORDER.map((group) => ({ group, fields: all.filter((field) => groupOf(field) === group) })).filter((one) => one.fields.length > 0)
}
