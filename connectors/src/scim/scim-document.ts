import type { UserFieldName } from '@instep/contract/user-fields.ts'
import type { AccountDocument, TargetUser } from '../kit/target.ts'
import type { ScimSettings } from './scim-settings.ts'

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Fields of a person that reach a SCIM target. */
export const SCIM_FIELDS = [
  'externalId',
  'userName',
  'givenName',
  'familyName',
  'displayName',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'workEmail',
  'personalEmail',
  'workPhone',
  'personalPhone',
  'locationName',
  'locality',
  'country',
  'employeeNumber',
  'costCenter',
  'organization',
  'division',
  'department',
  'manager',
] as const satisfies readonly UserFieldName[]

/** Attributes that are plain text, in the order in which a document has them. */
export const TEXT_ATTRIBUTES = ['displayName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'] as const
export const ENTERPRISE_TEXTS = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'] as const
export const NAME_PARTS = ['formatted', 'familyName', 'givenName'] as const

type Members = Record<string, unknown>
type Settings = Pick<ScimSettings, 'userNameField'>
type Known = Pick<ScimSettings, 'sentAttributes' | 'dialect'>

/** Without what is absent. A loop, because a document is made of every person of every pass. */
const present = (members: Members): Members => {
  const kept: Members = {}
  for (const name of Object.keys(members)) if (members[name] !== undefined) kept[name] = members[name]
  return kept
}
const some = (members: Members): Members | undefined => (Object.keys(members).length > 0 ? members : undefined)

/** A reader of fields: blank ones are absent. */
const reader = (user: TargetUser) => (field: UserFieldName) => {
  const value = user.fields[field]?.trim()
  return value === undefined || value === '' ? undefined : value
}

/** `fr_FR` is `fr-FR` outside. */
const languageTag = (value: string | undefined): string | undefined => value?.replaceAll('_', '-')

type Read = ReturnType<typeof reader>

const userNameOf = (user: TargetUser, read: Read, settings: Settings): string => {
  const prefixed = `${user.externalIdPrefix ?? ''}${read('externalId') ?? ''}`
  if (settings.userNameField === 'externalId') return prefixed
  const own = settings.userNameField === 'userName' ? read('userName') : undefined
  return own ?? read('workEmail') ?? prefixed
}

/** Values in order with the first one primary; undefined when there is none. */
const values = (typed: readonly (readonly [string, string | undefined])[]): Members[] | undefined => {
  const list = typed.filter(([, value]) => value !== undefined).map(([type, value]) => ({ value, type }))
  return list.length > 0 ? list.map((entry, index) => (index === 0 ? { ...entry, primary: true } : entry)) : undefined
}

const addressesOf = (read: Read): Members[] | undefined => {
  const address = present({ formatted: read('locationName'), locality: read('locality'), country: read('country') })
  return some(address) && [{ type: 'work', ...address, primary: true }]
}

const enterpriseOf = (user: TargetUser, read: Read): Members | undefined => {
  const members: Members = {}
  for (const field of ENTERPRISE_TEXTS) members[field] = read(field)
  members.manager = user.managerRemoteId ? { value: user.managerRemoteId } : undefined
  return some(present(members))
}

/**
 * The SCIM user that a person should be at a target: core and enterprise attributes, `userName` by the settings. Pure; the same values give the same
 * document, members in the same order. Blank fields are absent, and so is the manager until the manager's own account is known.
 */
export const documentOf = (user: TargetUser, settings: Settings): AccountDocument => {
  const read = reader(user)
  const formatted = [read('givenName'), read('familyName')].filter(Boolean).join(' ')
  const enterprise = enterpriseOf(user, read)
  return present({
    schemas: enterprise ? [CORE_USER, ENTERPRISE_USER] : [CORE_USER],
    externalId: read('externalId'),
    userName: userNameOf(user, read, settings) || undefined,
    active: user.active,
    name: some(present({ formatted: formatted || undefined, familyName: read('familyName'), givenName: read('givenName') })),
    displayName: read('displayName') ?? (formatted || undefined),
    title: read('title'),
    userType: read('userType'),
    preferredLanguage: languageTag(read('preferredLanguage')),
    locale: languageTag(read('locale')),
    timezone: read('timezone'),
    emails: values([
      ['work', read('workEmail')],
      ['home', read('personalEmail')],
    ]),
    phoneNumbers: values([
      ['work', read('workPhone')],
      ['mobile', read('personalPhone')],
    ]),
    addresses: addressesOf(read),
    [ENTERPRISE_USER]: enterprise,
  })
}

/** What of a document the target is known to take, where nothing else is to be sent; extensions go with what is not named. */
export const onlyKnown = (document: AccountDocument, { sentAttributes, dialect }: Known): AccountDocument => {
  const { attributes } = dialect
  if (sentAttributes === 'all' || !attributes) return document
  const kept = Object.entries(document).filter(([name]) => attributes.includes(name))
  const schemas = [CORE_USER, ...kept.map(([name]) => name).filter((name) => name.startsWith('urn:'))]
  return { schemas, ...Object.fromEntries(kept) }
}
