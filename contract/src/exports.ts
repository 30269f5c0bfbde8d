/** Exports of lists, and the progress of the runs that carry out what lists ask for (decisions.md section 7). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'
import { RunState } from './run-state.ts'
import { FileColumns } from './user-columns.ts'
import { USER_SORTS, UserFilter } from './users.ts'

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
/** The media type of each. */
export const EXPORT_TYPES: Record<(typeof EXPORT_FORMATS)[number], string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A run over a list: how far it is, and what came of it. */
export const ListRun = z.object({
  id: Id,
  kind: z.enum(['exportUsers', 'clearOverrides', 'syncUsers', 'emptySite']),
  correlationId: z.string(),
  state: RunState,
  done: z.number().int(),
  /** Null while it is not known. */
  total: z.number().int().nullable(),
  /** Locked people, or people somebody else changed meanwhile; of a sync of selected people, accounts that failed. */
  leftAlone: z.number().int(),
  /** The name under which the export is saved; null until it is complete, and for other kinds. */
  fileName: z.string().nullable(),
  failure: z.object({ code: z.string() }).nullable(),
  createdBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  version: z.number().int(),
})
export type ListRun = z.infer<typeof ListRun>

export const exportUsers = endpoint({
  id: 'exports.users',
  method: 'POST',
  path: '/connectors/{connectorId}/users/exports',
  summary: 'Writes a list of people, or the people named, to a file: a run, because a list may be long. At most three at a time.',
  who: { roles: PEOPLE_ADMINS, bit: 'exportUsers' },
  within: 'tenantOrConnector',
  params: z.object({ connectorId: Id }),
  body: z.object({
    format: z.enum(EXPORT_FORMATS),
    filter: UserFilter,
    /** The people of the filter who are meant; all of them where it is absent. */
    userIds: z.array(Id).min(1).max(10_000).optional(),
    /** People of the filter who are left out. */
    exceptIds: z.array(Id).max(10_000).optional(),
    sort: z.enum(USER_SORTS).default('displayName'),
    /** Columns in their order; all where it is absent. An attribute that the tenant has not, or not any more, is no column of the file. */
    columns: z.array(FileColumns).min(1).max(120).optional(),
    /** Language of the header row. */
    locale: z.string().max(20).default('en_GB'),
  }),
  response: ListRun,
  status: 202,
  problems: ['NO_DATA', 'TOO_MANY_FOR_XLSX'],
})

const runParams = z.object({ tenantId: Id, runId: Id })
const own = { who: { roles: PEOPLE_ADMINS }, within: 'tenant', params: runParams } as const

export const getListRun = endpoint({
  ...own,
  id: 'exports.get',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}',
  summary: 'One run over a list; only its own starter and tenant level see it.',
  response: ListRun,
})

export const watchListRun = endpoint({
  ...own,
  id: 'exports.watch',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}/progress',
  summary: 'The run as it goes on, until it is over.',
  response: ListRun,
  responseKind: 'events',
})

export const cancelListRun = endpoint({
  ...own,
  id: 'exports.cancel',
  method: 'POST',
  path: '/connectors/{tenantId}/list-runs/{runId}/cancel',
  summary: 'Stops a run over a list. What was done stays; a file that is not complete is thrown away.',
  response: ListRun,
  problems: ['RUN_STATE_WRONG'],
})

export const downloadExport = endpoint({
  ...own,
  who: { roles: PEOPLE_ADMINS, bit: 'exportUsers' },
  id: 'exports.download',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}/file',
  summary: 'The file of a complete export; kept for a day, and for whoever still sees all that its starter saw.',
  responseKind: 'file',
  fileTypes: Object.values(EXPORT_TYPES),
  problems: ['FILE_GONE', 'RUN_STATE_WRONG'],
})
