/** Where a person's values come from. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, PlainDate } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'

const text = z.string().nullable()

/** Where a value of a profile comes from. */
export const Provenance = z.object({
  /** A field of the form model; a custom security attribute as `claimFields.<id>`. */
  field: z.string(),
  value: z.unknown(),
  origin: z.enum(['source', 'override', 'manual', 'default', 'none']),
  connectorName: z.string(),
  /** The run that brought the value last; null where no run did, or nothing is known of it. */
  runId: Id.nullable(),
  at: Instant.nullable(),
  by: text,
  /** The source's column, and how a date of it is read. */
  mapping: z.object({ column: z.string(), dateFormat: z.string().nullable(), version: z.number().int() }).nullable(),
  override: z.object({ base: z.unknown(), by: z.string(), at: Instant, reason: text, until: PlainDate.nullable() }).nullable(),
})
export type Provenance = z.infer<typeof Provenance>

export const getProvenance = endpoint({
  id: 'users.provenance',
  method: 'GET',
  path: '/connectors/{connectorId}/users/{id}/provenance',
  summary: 'Where each value of a profile comes from: source and run, mapping, override, an edit by hand, or a default.',
  who: { roles: PEOPLE_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id, id: Id }),
  response: z.object({ data: z.array(Provenance) }),
})
