/** Sources that are fetched: what they have, when they are fetched, how they fare (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, PlainDate } from './page.ts'
import { FILE_PROBLEMS, SOURCE_PROBLEMS } from './problem.ts'
import { TENANT_ADMINS } from './roles.ts'
import { TimeZone } from './sites.ts'
import { Run, SourceFile } from './sync.ts'

const params = z.object({ connectorId: Id })
const within = 'connector' as const
const reading = { roles: TENANT_ADMINS } as const
const importing = { roles: TENANT_ADMINS, bit: 'importUsers' } as const
const setting = { roles: TENANT_ADMINS, bit: 'editSettings' } as const

const Params = z.record(z.string(), z.union([z.string(), z.number()]))

/** Days before credentials expire from which on it is said. */
export const EXPIRY_WARNING_DAYS = 14

export const SourceState = z.object({
  /** Whether files are fetched at all; false where they are uploaded. */
  fetched: z.boolean(),
  lastFetchAt: Instant.nullable(),
  lastDataAt: Instant.nullable(),
  /** Why the last fetch failed; null when it did not. */
  lastError: z.object({ code: z.string(), params: Params }).nullable(),
  /** Since when nothing came that should have; null where all is well. */
  silentSince: Instant.nullable(),
  /** The kept fingerprint of the server's key. */
  hostKey: z.string().nullable(),
  /** Null until they expire within a fortnight. */
  credentials: z.object({ expireOn: PlainDate, daysLeft: z.number().int() }).nullable(),
  /** Whether plans may be applied by themselves: a person has applied one before. */
  automaticOffered: z.boolean(),
})
export type SourceState = z.infer<typeof SourceState>

export const Cron = z
  .string()
  .trim()
  .max(100)
  .regex(/^(\S+\s+){4}\S+$/)
export const APPLY_MODES = ['approval', 'automatic'] as const

export const SKIP_REASONS = ['runActive', 'paused', 'noMapping'] as const

export const Schedule = z.object({
  /** Five fields: minute, hour, day, month, weekday; in the time zone. */
  cron: z.string(),
  timeZone: z.string(),
  enabled: z.boolean(),
  /** `automatic`: a plan that no guard holds is applied by itself. */
  apply: z.enum(APPLY_MODES),
  /** The next three times; none where it is switched off. */
  next: z.array(Instant),
  lastStartedAt: Instant.nullable(),
  /** Why it was not started the last time. */
  skipped: z.object({ at: Instant, reason: z.enum(SKIP_REASONS) }).nullable(),
})
export type Schedule = z.infer<typeof Schedule>

export const getSourceState = endpoint({
  id: 'sources.state',
  method: 'GET',
  path: '/connectors/{connectorId}/source',
  summary: 'How a source that is fetched fares: last fetch, last data, what is wrong.',
  who: reading,
  within,
  params,
  response: SourceState,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const testSource = endpoint({
  id: 'sources.test',
  method: 'POST',
  path: '/connectors/{connectorId}/source/test',
  summary:
    'Connects with the stored settings and says what would be fetched. An SFTP server is told nothing before its key was accepted: `hostKey` accepts and keeps the one that it showed.',
  who: setting,
  within,
  params,
  body: z.object({ hostKey: z.string().max(200).optional() }),
  response: z.object({
    found: z.object({ name: z.string(), size: z.number().int().nullable(), modifiedAt: Instant.nullable() }).nullable(),
    hostKey: z.string().nullable(),
  }),
  problems: [...SOURCE_PROBLEMS, 'SOURCE_NOT_FETCHED', 'CONNECTOR_KIND_WRONG', 'CONNECTOR_DISABLED'],
})

export const sampleSource = endpoint({
  id: 'sources.sample',
  method: 'POST',
  path: '/connectors/{connectorId}/source/sample',
  summary: 'Fetches what the source has now and answers as an upload does: columns, sample rows and a mapping. Nothing else changes.',
  who: importing,
  within,
  params,
  response: SourceFile,
  status: 201,
  problems: [
    ...FILE_PROBLEMS,
    ...SOURCE_PROBLEMS,
    'SOURCE_NOTHING_FOUND',
    'SOURCE_NOT_FETCHED',
    'CONNECTOR_KIND_WRONG',
    'CONNECTOR_DISABLED',
  ],
})

export const fetchNow = endpoint({
  id: 'sources.fetchNow',
  method: 'POST',
  path: '/connectors/{connectorId}/source/runs',
  summary: 'Starts a run that fetches and plans. A dry run stops at the plan whatever the schedule says.',
  who: importing,
  within,
  params,
  body: z.object({ dryRun: z.boolean().default(false) }),
  response: Run,
  status: 202,
  problems: ['SOURCE_NOT_FETCHED', 'MAPPING_ABSENT', 'RUN_ACTIVE', 'CONNECTOR_KIND_WRONG', 'CONNECTOR_DISABLED'],
})

export const getSchedule = endpoint({
  id: 'sources.schedule',
  method: 'GET',
  path: '/connectors/{connectorId}/schedule',
  summary: 'When a source is fetched by itself; null where it never is.',
  who: reading,
  within,
  params,
  response: z.object({ schedule: Schedule.nullable() }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const setSchedule = endpoint({
  id: 'sources.setSchedule',
  method: 'PUT',
  path: '/connectors/{connectorId}/schedule',
  summary: 'Sets when a source is fetched by itself, and whether its plans are applied by themselves.',
  who: setting,
  within,
  params,
  body: z.object({ cron: Cron, timeZone: TimeZone, enabled: z.boolean(), apply: z.enum(APPLY_MODES) }),
  response: z.object({ schedule: Schedule }),
  problems: ['SCHEDULE_AUTOMATIC_EARLY', 'CONNECTOR_KIND_WRONG'],
})

export const previewSchedule = endpoint({
  id: 'sources.previewSchedule',
  method: 'POST',
  path: '/connectors/{connectorId}/schedule/preview',
  summary: 'The next three times of a schedule that is not set yet.',
  who: reading,
  within,
  params,
  body: z.object({ cron: Cron, timeZone: TimeZone }),
  response: z.object({ next: z.array(Instant) }),
})
