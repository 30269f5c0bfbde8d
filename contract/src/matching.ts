/** Which person a record of a source is: ordered lookup keys, and when a new person looks like somebody known (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

export const LOOKUP_KEYS = ['Id', 'ExternalId', 'ExternalReferenceId', 'EmployeeId', 'Email', 'UserName'] as const
export type LookupKeyKind = (typeof LOOKUP_KEYS)[number]

/**
 * How two values are held against each other: `exact`, code point for code point; `folded`, without outer spaces and case; `normalised`, of an
 * identifier also without punctuation and leading zeros, of an address as `folded`.
 */
export const COMPARISONS = ['exact', 'folded', 'normalised'] as const
export type MatchComparison = (typeof COMPARISONS)[number]

/** What happens to a would-be new person who looks like somebody known: asked about before it is created, only noted in the plan, or nothing. */
export const SUSPICION_ACTS = ['ask', 'note', 'off'] as const

const LookupKey = z.object({ kind: z.enum(LOOKUP_KEYS), comparison: z.enum(COMPARISONS) })

/** Keys are tried in their order, and the first that finds anybody decides. */
export const Matching = z.object({
  keys: z
    .array(LookupKey)
    .max(LOOKUP_KEYS.length)
    .refine((keys) => new Set(keys.map(({ kind }) => kind)).size === keys.length),
  samePerson: z.object({
    act: z.enum(SUSPICION_ACTS),
    nameAndBirthDate: z.boolean(),
    personalEmail: z.boolean(),
    personalPhone: z.boolean(),
  }),
})
export type Matching = z.infer<typeof Matching>

/** What holds where nobody has set anything. */
export const DEFAULT_MATCHING: Matching = {
  keys: [{ kind: 'ExternalId', comparison: 'exact' }],
  samePerson: { act: 'ask', nameAndBirthDate: true, personalEmail: true, personalPhone: true },
}

const MatchingInForce = z.object({
  matching: Matching,
  /** The version of the configuration in force; null before the first. */
  version: z.number().int().nullable(),
})

export const getMatching = endpoint({
  id: 'matching.get',
  method: 'GET',
  path: '/connectors/{connectorId}/matching',
  summary: 'How records of a source find their people.',
  who: { roles: TENANT_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  response: MatchingInForce,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const updateMatching = endpoint({
  id: 'matching.update',
  method: 'PUT',
  path: '/connectors/{connectorId}/matching',
  summary: 'Changes how records of a source find their people, as a version of its configuration; from the next run on.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  body: Matching,
  response: MatchingInForce,
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})
