/** What administrators set on top of the sources: seen, counted and taken back across people. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Count, Id, Instant, PlainDate, page, pageQuery } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'

/** One override of one person; `field` is a name of the flat form model, `base` what the source says. */
export const Override = z.object({
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  field: z.string(),
  value: z.unknown(),
  base: z.unknown(),
  by: z.string(),
  at: Instant,
  reason: z.string().nullable(),
  /** The last day on which it holds; from the next midnight of the site's time zone on the source counts again. */
  until: PlainDate.nullable(),
})
export type Override = z.infer<typeof Override>

/** Narrows by field, by how long ago it was set, by connector or site. */
const narrowing = {
  field: z.string().max(100).optional(),
  olderThanDays: z.coerce.number().int().min(1).max(3650).optional(),
  connectorId: Id.optional(),
  siteId: Id.optional(),
}
const overrideFilter = z.object(narrowing)
export type OverrideFilter = z.infer<typeof overrideFilter>

export const listOverrides = endpoint({
  id: 'overrides.list',
  method: 'GET',
  path: '/connectors/{tenantId}/overrides',
  summary: 'Overrides of the people whom the caller may see, oldest first, and how many there are of each field.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ ...pageQuery, ...narrowing }),
  response: page(Override).extend({ count: Count, fields: z.array(z.object({ field: z.string(), count: z.number().int() })) }),
  problems: ['TOKEN_FOREIGN'],
})

export const clearOverrides = endpoint({
  id: 'overrides.clear',
  method: 'POST',
  path: '/connectors/{tenantId}/overrides/clear',
  summary: 'Takes overrides back, named ones or all that a filter finds, as a run; locked people are left alone and counted.',
  who: { roles: PEOPLE_ADMINS, bit: 'editUsers' },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  body: z.union([
    z.strictObject({
      overrides: z
        .array(z.object({ userId: Id, field: z.string().max(100) }))
        .min(1)
        .max(1000),
    }),
    z.strictObject({ filter: overrideFilter }),
  ]),
  response: z.object({ runId: Id }),
  status: 202,
  problems: ['MAINTENANCE'],
})
