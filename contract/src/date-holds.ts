/** End dates that wait, because more people of a connector would be deactivated than its guard lets go. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { HeldReason } from './run-findings.ts'

export const DateHold = z.object({
  connectorId: Id,
  connectorName: z.string(),
  /** Active people who would be deactivated. */
  ending: z.number().int(),
  held: HeldReason,
  heldAt: Instant,
  /** An administrator has let them go; the next pass, within five minutes, carries it out. */
  allowed: z.boolean(),
})
export type DateHold = z.infer<typeof DateHold>

export const allowDates = endpoint({
  id: 'sync.allowDates',
  method: 'POST',
  path: '/connectors/{connectorId}/end-dates/allow',
  summary:
    'Lets the end dates act that the guard holds, for as many people as it was held for. Takes effect with the next pass, within five minutes.',
  who: { roles: TENANT_ADMINS, bit: 'importUsers' },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  body: z.object({ reason: upTo(1000, z.string().trim()).min(1) }),
  response: DateHold,
  problems: ['DATES_NOT_HELD'],
})
