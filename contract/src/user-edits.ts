/** Creating and changing people (1-console.md sections 4 and 5; decisions.md section 9, Users). */
import { z } from 'zod'
import { readApiDate } from './dates.ts'
import { endpoint } from './endpoint.ts'
import type { FieldCode } from './field-message.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant } from './page.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'
import { DELIVERIES, REFERENCE_TYPES } from './user-fields.ts'
import { EDITING_USERS, UserDetails } from './users.ts'

/** A date as a caller writes it, `YYYY-MM-DD` or `DD/MM/YYYY`; kept as `YYYY-MM-DD`. */
const GivenDate = z
  .string()
  .trim()
  .transform((value, context) => {
    const date = readApiDate(value)
    if (date === undefined) {
      context.addIssue({ code: 'custom', message: 'apiDate' satisfies FieldCode })
      return z.NEVER
    }
    return date
  })
  .nullable()
/** More than any field takes: what a field itself takes is said beside it. */
const anyText = upTo(20_000)
const given = anyText.nullable()
const givenReference = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z
    .object({ value: given, referenceType: z.enum(types).nullable() })
    .nullable()
    // without a value or a type there is no reference
    .transform((reference) =>
      reference?.value?.trim() && reference.referenceType ? { value: reference.value, referenceType: reference.referenceType } : null,
    )
const contact = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z
    .array(z.object({ value: anyText, type: z.enum(types), primary: z.boolean().optional() }))
    .max(10)
    .nullable()

/** A person as a caller writes one: absent = leave, null = clear. Values are the effective ones; the server works out the overrides. */
export const UserInput = z
  .object({
    externalId: anyText,
    externalReferenceId: given,
    userName: given,
    siteId: Id.nullable(),
    userType: given,
    active: z.boolean(),
    displayName: given,
    title: given,
    preferredLanguage: given,
    locale: given,
    timezone: given,
    startDate: GivenDate,
    endDate: GivenDate,
    name: z.object({ familyName: given, givenName: given, formatted: given }).partial(),
    phoneNumbers: contact(['work', 'personal', 'mobile']),
    emails: contact(['work', 'personal']),
    addresses: z
      .array(z.object({ formatted: given, locality: given, country: given }).partial())
      .max(1)
      .nullable(),
    enterprise: z
      .object({
        employeeNumber: given,
        costCenter: given,
        organization: given,
        division: given,
        department: given,
        leader: givenReference(['email']),
        manager: givenReference(REFERENCE_TYPES),
        approver: givenReference(REFERENCE_TYPES),
      })
      .partial(),
    extension: z
      .object({
        startDate: GivenDate,
        endDate: GivenDate,
        accessCodeDelivery: z.enum(DELIVERIES).nullable(),
        externalIdPrefix: given,
        gender: given,
        employmentType: given,
        dateOfBirth: GivenDate,
        customField1: given,
        customField2: given,
        externalPartnerCompany: given,
        claimFields: z.record(z.string().max(100), given).nullable(),
      })
      .partial(),
    /**
     * What goes back to what the source says, by field of the API shape, whole or leaf: `{ title: null }`, `{ name: null }`,
     * `{ 'name.givenName': null }`, `{ name: { givenName: null } }`. A field that the body gives another value takes that, and what else stands here is
     * not read, so that a person can be sent back as they were answered.
     */
    overrides: z.record(z.string().max(100), z.unknown()),
    /**
     * Overrides that keep their value and take the reason and the last day of this edit, by key as in `overrides`. So does every overridden field
     * that the body names with the value it has.
     */
    renewedOverrides: z.array(z.string().max(100)).max(100),
    /** Kept with the overrides that this edit makes or renews: why, and the last day on which they hold. Of a renewed one, absent = leave, null = clear. */
    overrideReason: upTo(1000, z.string().trim()).nullable(),
    overrideUntil: GivenDate,
  })
  .partial()
export type UserInput = z.infer<typeof UserInput>

const userParams = z.object({ connectorId: Id, id: Id })
/** Whoever lacks the bit is told the documented sentence. */

export const createUser = endpoint({
  id: 'users.create',
  method: 'POST',
  path: '/connectors/{connectorId}/users',
  summary: "Adds a person by hand, to a connector or, with a tenant id in the path, to the tenant's manual one.",
  who: { roles: PEOPLE_ADMINS, ...EDITING_USERS },
  within: 'tenantOrOfferedConnector',
  params: z.object({ connectorId: Id }),
  body: UserInput,
  response: UserDetails,
  status: 201,
  problems: ['EMFB013', 'USER_NOT_MODIFIABLE', 'MAINTENANCE'],
})

export const updateUser = endpoint({
  id: 'users.update',
  method: 'PUT',
  path: '/connectors/{connectorId}/users/{id}',
  summary: 'Changes a person. With If-Match only the version that the caller has read; without it the event says so.',
  who: { roles: PEOPLE_ADMINS, ...EDITING_USERS },
  within: 'connector',
  params: userParams,
  body: UserInput,
  response: UserDetails,
  problems: ['EMFB013', 'USER_LOCKED', 'USER_NOT_MODIFIABLE', 'USER_CHANGED', 'MAINTENANCE'],
})

/** What a `USER_CHANGED` problem carries as `current`: the person now, and who changed what since the version that the caller had. */
export const UserConflict = z.object({
  user: UserDetails,
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown(), by: z.string(), at: Instant })),
})
export type UserConflict = z.infer<typeof UserConflict>

const marking = { who: { roles: PEOPLE_ADMINS, ...EDITING_USERS }, within: 'connector', params: userParams, response: UserDetails } as const

export const lockUser = endpoint({
  ...marking,
  id: 'users.lock',
  method: 'PUT',
  path: '/connectors/{connectorId}/users/{id}/lock',
  summary: 'Locks a person for editing, with the reason that others are shown. Syncs keep the rows of a locked person waiting.',
  body: z.object({ reason: upTo(500, z.string().trim()).min(1) }),
  problems: ['USER_LOCKED', 'MAINTENANCE'],
})

export const unlockUser = endpoint({
  ...marking,
  id: 'users.unlock',
  method: 'DELETE',
  path: '/connectors/{connectorId}/users/{id}/lock',
  summary: 'Lifts a lock that an administrator set. An erasure or a move lifts its own.',
  problems: ['USER_LOCKED', 'MAINTENANCE'],
})

export const markVip = endpoint({
  ...marking,
  who: { roles: TENANT_ADMINS, ...EDITING_USERS },
  id: 'users.vip',
  method: 'PUT',
  path: '/connectors/{connectorId}/users/{id}/vip',
  summary: 'Marks a person as a VIP, or takes the mark away.',
  body: z.object({ vip: z.boolean() }),
  problems: ['USER_LOCKED', 'MAINTENANCE'],
})
