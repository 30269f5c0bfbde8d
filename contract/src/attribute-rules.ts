/** Which field of a person becomes which attribute of an account at a SCIM target, where that differs from what is sent anyway. */
import { z } from 'zod'
import { upTo } from './line-of-text.ts'
import { Transforms } from './transforms.ts'
import { type UserFieldName, userFieldNames } from './user-fields.ts'

/** An attribute of a SCIM resource, taken apart (RFC 7644 section 3.10). */
export interface AttributePath {
  /** The URN in front, of an extension; null for the core schema. */
  readonly schema: string | null
  readonly attribute: string
  /** Which entry of a list is meant. */
  readonly filter: { readonly name: string; readonly value: string } | null
  readonly sub: string | null
}

const PATH =
  /^(?:(urn:(?:[\w.%+-]+:)*[\w.%+-]+):)?([A-Za-z][\w-]*)(?:\[([A-Za-z][\w-]*) eq ("(?:[^"\\]|\\["\\])*")\])?(?:\.([A-Za-z$][\w-]*))?$/
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Attributes that are lists by RFC 7643: a path has to say which entry is meant. */
const LISTS: ReadonlySet<string> = new Set([
  'emails',
  'phoneNumbers',
  'addresses',
  'ims',
  'photos',
  'entitlements',
  'roles',
  'x509Certificates',
])
/** What the target or the provisioning itself decides. */
const NOT_OURS: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas', 'active', 'password'])

/** Reads a path such as `title`, `name.givenName`, `emails[type eq "work"].value` or `urn:example:2.0:User:badge`; undefined where it is none. */
export const readAttributePath = (text: string): AttributePath | undefined => {
  const [, schema, attribute, name, quoted, sub] = PATH.exec(text) ?? []
  if (attribute === undefined) return undefined
  const filter = name === undefined || quoted === undefined ? null : { name, value: String(JSON.parse(quoted)) }
  return { schema: schema === undefined || schema === CORE ? null : schema, attribute, filter, sub: sub ?? null }
}

/** Whether an attribute can be set by a rule: a path, not one that the target or provisioning decides, and of a list one entry. */
export const isUsablePath = (text: string): boolean => {
  const path = readAttributePath(text)
  if (!path) return false
  const { schema, attribute, filter, sub } = path
  if (schema === null && NOT_OURS.has(attribute)) return false
  if (filter) return sub !== null && sub !== filter.name
  return !(schema === null && LISTS.has(attribute))
}

/** Fields that no target gets. */
const KEPT_HERE: ReadonlySet<UserFieldName> = new Set([
  'accessCodeDelivery',
  'gender',
  'dateOfBirth',
  'customField1',
  'customField2',
  'externalPartnerCompany',
])
/** Fields that an attribute can be made of. */
export const MAPPABLE_FIELDS = userFieldNames.filter((field) => !KEPT_HERE.has(field)) as [UserFieldName, ...UserFieldName[]]

const constant = upTo(1000)
  .min(1)
  .refine((text) => text.isWellFormed() && !text.includes('\0'))

/**
 * One attribute. `nothing` leaves it out. Transforms work on the field's text; the columns that they join are fields. What comes out empty, or is no
 * value of the kind that `as` says, is left out.
 */
export const AttributeRule = z.object({
  path: upTo(300).refine(isUsablePath),
  from: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('field'), field: z.enum(MAPPABLE_FIELDS) }),
    z.object({ kind: z.literal('constant'), text: constant }),
    z.object({ kind: z.literal('nothing') }),
  ]),
  transforms: Transforms.optional(),
  as: z.enum(['text', 'boolean', 'number']).default('text'),
})
export type AttributeRule = z.infer<typeof AttributeRule>

/** The rules of a target, laid over what is sent anyway in their order; each attribute once. */
export const AttributeRules = z
  .array(AttributeRule)
  .max(100)
  .refine((rules) => new Set(rules.map(({ path }) => path)).size === rules.length)
export type AttributeRules = z.infer<typeof AttributeRules>

/** What is sent without any rule: attribute → the field it is made of. */
export const USUAL_ATTRIBUTES: Readonly<Record<string, UserFieldName>> = {
  externalId: 'externalId',
  userName: 'workEmail',
  'name.givenName': 'givenName',
  'name.familyName': 'familyName',
  displayName: 'displayName',
  title: 'title',
  userType: 'userType',
  preferredLanguage: 'preferredLanguage',
  locale: 'locale',
  timezone: 'timezone',
  'emails[type eq "work"].value': 'workEmail',
  'emails[type eq "home"].value': 'personalEmail',
  'phoneNumbers[type eq "work"].value': 'workPhone',
  'phoneNumbers[type eq "mobile"].value': 'personalPhone',
  'addresses[type eq "work"].formatted': 'locationName',
  'addresses[type eq "work"].locality': 'locality',
  'addresses[type eq "work"].country': 'country',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'employeeNumber',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:costCenter': 'costCenter',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:organization': 'organization',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:division': 'division',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'department',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value': 'manager',
}
