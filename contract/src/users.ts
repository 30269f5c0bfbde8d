/** People: lists, profiles, the API shape (1-console.md sections 2, 3 and 7). */

import { z } from 'zod'
import { Condition } from './conditions.ts'
import { AcceptedValue } from './drift.ts'
import { endpoint } from './endpoint.ts'
import { Count, Id, Instant, PlainDate, page, pageQuery, SearchText } from './page.ts'
import { Permit } from './permit.ts'
import { PEOPLE_ADMINS } from './roles.ts'
import { DELIVERIES, REFERENCE_TYPES, type UserFieldName, userFieldNames } from './user-fields.ts'

/** Wire values of the list filters: claimed, notClaimed (invited, not claimed) and notInvited count active people. */
export const ACCOUNT_STATUSES = ['all', 'claimed', 'notClaimed', 'notInvited', 'inactive', 'active'] as const
export const AccountStatus = z.enum(ACCOUNT_STATUSES)
export type AccountStatus = z.infer<typeof AccountStatus>

/** What a screen shows: claim progress while active, else why not. */
export const SHOWN_STATUSES = ['awaitingInvitation', 'invited', 'claimed', 'inactive', 'deactivated'] as const
export type ShownStatus = (typeof SHOWN_STATUSES)[number]

export const ClaimState = z.enum(['awaitingInvitation', 'invited', 'claimed'])

const text = z.string().nullable()
const reference = z.object({ value: z.string(), referenceType: z.enum(REFERENCE_TYPES) }).nullable()

/** Fields of the form that a person's record may be edited in: the flat fields, and those that are not texts. */
export const EDITABLE_FIELDS = [...userFieldNames, 'active', 'claimFields', 'siteId'] as const
export type EditableField = UserFieldName | 'active' | 'claimFields' | 'siteId'
export const EditableField = z.enum(EDITABLE_FIELDS as unknown as [EditableField, ...EditableField[]])

/** One person in the documented API shape. Dates are `YYYY-MM-DD`. */
export const User = z.object({
  id: Id,
  externalId: z.string(),
  externalReferenceId: text,
  userName: text,
  connectorId: Id,
  siteId: Id.nullable(),
  ingestionType: z.enum(['manual', 'file', 'scim', 'rest', 'ldap']),
  schemaId: Id,
  tenantId: Id,
  userType: text,
  active: z.boolean(),
  locked: z.boolean(),
  vip: z.boolean(),
  displayName: z.string(),
  title: text,
  preferredLanguage: text,
  locale: text,
  timezone: text,
  startDate: PlainDate.nullable(),
  endDate: PlainDate.nullable(),
  name: z.object({ formatted: z.string(), familyName: z.string(), givenName: z.string() }),
  phoneNumbers: z.array(z.object({ value: z.string(), type: z.enum(['work', 'personal', 'mobile']), primary: z.boolean() })),
  emails: z.array(z.object({ value: z.string(), type: z.enum(['work', 'personal']), primary: z.boolean() })),
  addresses: z.array(z.object({ formatted: text, type: z.literal('work'), primary: z.boolean(), locality: text, country: text })),
  enterprise: z.object({
    employeeNumber: text,
    costCenter: text,
    organization: text,
    division: text,
    department: text,
    leader: reference,
    manager: reference,
    approver: reference,
  }),
  extension: z.object({
    startDate: PlainDate.nullable(),
    endDate: PlainDate.nullable(),
    accessCodeDelivery: z.enum(DELIVERIES),
    externalIdPrefix: text,
    gender: text,
    employmentType: text,
    dateOfBirth: PlainDate.nullable(),
    customField1: text,
    customField2: text,
    externalPartnerCompany: text,
    claimFields: z.record(z.string(), z.string()),
  }),
  ssoData: z.record(z.string(), z.unknown()).nullable(),
  /** By field of the API shape, every key that can be overridden, null where nothing is. */
  overrides: z.record(z.string(), z.unknown()),
  claim: z.object({ state: ClaimState, invitedAt: Instant.nullable(), claimedAt: Instant.nullable() }),
  status: z.enum(SHOWN_STATUSES),
  /** Grows with every change; the ETag is this number in quotes. */
  version: z.number().int(),
})
export type User = z.infer<typeof User>

/** One row of a people list; a screen shows the columns that its reader chose. */
export const UserRow = z.object({
  id: Id,
  connectorId: Id,
  siteId: Id.nullable(),
  displayName: z.string(),
  employeeId: z.string(),
  externalId: z.string(),
  title: text,
  department: text,
  division: text,
  organization: text,
  costCenter: text,
  locationName: text,
  country: text,
  workEmail: text,
  personalEmail: text,
  personalPhone: text,
  manager: text,
  userType: text,
  employmentType: text,
  preferredLanguage: text,
  status: z.enum(SHOWN_STATUSES),
  accessCodeDelivery: z.enum(DELIVERIES),
  startDate: PlainDate.nullable(),
  endDate: PlainDate.nullable(),
  updatedAt: Instant,
  locked: z.boolean(),
  vip: z.boolean(),
  overridden: z.boolean(),
})
export type UserRow = z.infer<typeof UserRow>

/** Where one person's account stands at one target. */
export const UserTarget = z.object({
  targetId: Id,
  targetName: z.string(),
  /** False: somebody switched it off, and nothing is tried there until somebody switches it on again. */
  targetEnabled: z.boolean(),
  state: z.enum(['pending', 'inStep', 'failed', 'quarantined', 'paused', 'protected', 'held', 'leaving']),
  remoteId: text,
  attempts: z.number().int(),
  nextTryAt: Instant.nullable(),
  lastError: text,
  appliedAt: Instant.nullable(),
  /** What of the account may differ, because somebody has accepted it. */
  accepted: z.array(AcceptedValue),
})
export type UserTarget = z.infer<typeof UserTarget>

const listQuery = z.object({
  ...pageQuery,
  siteId: Id.optional(),
  searchText: SearchText.optional(),
  accountStatus: AccountStatus.default('all'),
  isActive: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
})

export const listUsers = endpoint({
  id: 'users.list',
  method: 'GET',
  path: '/connectors/{connectorId}/users',
  summary: 'People of one connector, by name.',
  who: { roles: PEOPLE_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  query: listQuery,
  response: page(User),
  problems: ['TOKEN_FOREIGN'],
})

/** Sorts a list offers; a leading minus is descending. */
export const USER_SORTS = ['displayName', '-displayName', 'externalId', '-externalId', 'startDate', '-startDate'] as const

/** What narrows a list of people; an export takes the same. */
export const UserFilter = z.object({
  connectorId: Id.nullish(),
  siteId: Id.nullish(),
  siteGroupId: Id.nullish(),
  searchText: SearchText.nullish(),
  accountStatus: AccountStatus.default('all'),
  isActive: z.boolean().nullish(),
  filters: Condition.nullish(),
})

export const searchUsers = endpoint({
  id: 'users.search',
  method: 'POST',
  path: '/connectors/{connectorId}/users/search',
  summary: 'People of one connector, or of every connector the caller may see when a tenant id stands in the path.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenantOrConnector',
  params: z.object({ connectorId: Id }),
  body: UserFilter.extend({
    /** Must be the tenant of the path where it is given. */
    tenantId: Id.nullish(),
    continuationToken: z.string().max(2000).nullish(),
    pageSize: z.number().int().min(1).max(250).default(10),
    sort: z.enum(USER_SORTS).default('displayName'),
  }),
  response: page(UserRow).extend({ count: Count }),
  problems: ['TOKEN_FOREIGN'],
})

/** What an edit of a person takes beside the role, and what is answered without it. */
export const EDITING_USERS = { bit: 'editUsers', refusal: 'USER_NOT_MODIFIABLE' } as const

export const UserDetails = User.extend({
  targets: z.array(UserTarget),
  connectorName: z.string(),
  siteName: text,
  lock: z.object({ kind: z.enum(['admin', 'erasure', 'move']), reason: z.string(), by: z.string(), at: Instant }).nullable(),
  /** HR's values of the overridden fields, and who set what on top. */
  overridden: z.array(
    z.object({
      field: z.string(),
      value: z.unknown(),
      base: z.unknown(),
      by: z.string(),
      at: Instant,
      reason: text,
      until: PlainDate.nullable(),
    }),
  ),
  /** The manager, where one is known whom the caller sees. */
  reportsTo: z.object({ id: Id, connectorId: Id, displayName: z.string() }).nullable(),
  /** A manager is named whom nobody answers to, or several do. */
  managerOpen: z.boolean(),
  /** Where the dates have put the person; `left`: away for another reason, and no date brings them back. */
  employment: z.enum(['employed', 'notStarted', 'ended', 'left']),
  /** Until when somebody deactivated is kept; null for everybody else. */
  keptUntil: Instant.nullable(),
  can: z.object({ edit: Permit, lock: Permit, vip: Permit }),
  /** The fields that an edit may change; the others come from the source. */
  editable: z.array(EditableField),
})
export type UserDetails = z.infer<typeof UserDetails>

export const getUser = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/connectors/{connectorId}/users/{id}',
  summary: 'One person, with where the account stands at each target and what the caller may do. The ETag is the version.',
  who: { roles: PEOPLE_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id, id: Id }),
  response: UserDetails,
})
