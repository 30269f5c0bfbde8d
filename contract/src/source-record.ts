/** What the source says of one person now, followed through the configuration in force; the first steps of a sync by hand. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Explanation } from './explain.ts'
import { Id, Instant } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/**
 * `read`: the source was asked just now. `pushed`: what an identity system sent last. `run`: what the newest run saw, because the source was not
 * asked, for the cause told. `directory`: nobody but the directory says anything of the person.
 */
export const RECORD_ORIGINS = ['read', 'pushed', 'run', 'directory'] as const

/**
 * Why the source was not asked: it gives files; no address of one person is set; the external id is made by the mapping and its cell is not known; the
 * connector is disabled. Else the code of what went wrong there.
 */
export const NOT_ASKED = ['file', 'noAddress', 'keyMade', 'disabled'] as const

export const SourceCause = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

export const SourceRecord = z.object({
  from: z.enum(RECORD_ORIGINS),
  /** When it was read, pushed, or planned by the run; null where there is nothing. */
  at: Instant.nullable(),
  cause: SourceCause.nullable(),
  /** The key that the source was asked for. */
  key: z.string().nullable(),
  /** Null where there is no record: the source has none, no run has seen the person, or there is no source. */
  told: Explanation.nullable(),
})
export type SourceRecord = z.infer<typeof SourceRecord>

/**
 * What became of a record that differs from the directory: a run over what was asked for alone brought it in; it waits (a guard holds that run, or it goes on, or another
 * run of the source is not over); that run failed; who asked may not bring people in, or the connector may not.
 */
export const BRINGING_OUTCOMES = ['applied', 'held', 'underWay', 'otherRun', 'failed', 'refused'] as const

export const BroughtIn = z.object({ outcome: z.enum(BRINGING_OUTCOMES), runId: Id.nullable() })

export const SyncedRecord = SourceRecord.extend({
  /** Null where nothing was to be brought in, and in a preview. */
  brought: BroughtIn.nullable(),
})
export type SyncedRecord = z.infer<typeof SyncedRecord>

export const readSourceRecord = endpoint({
  id: 'sync.sourceRecord',
  method: 'GET',
  path: '/connectors/{connectorId}/users/{id}/source-record',
  summary: 'Asks the source for one person’s record now and says what the configuration in force would make of it. Nothing is kept.',
  who: { roles: TENANT_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id, id: Id }),
  response: SourceRecord,
  problems: ['CONNECTOR_KIND_WRONG'],
})
