/** The main job: a file of people, its mapping, the plan, the run that applies it (decisions.md sections 3 and 7). */
import { z } from 'zod'
import { DateFormat } from './date-formats.ts'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { MappingScope } from './mapping-scope.ts'
import { Id, Instant, page, pageQuery, SearchText } from './page.ts'
import { PlanKind } from './plan-kinds.ts'
import { planCause, planPlace } from './plan-place.ts'
import { FILE_PROBLEMS } from './problem.ts'
import { TENANT_ADMINS } from './roles.ts'
import { HeldReason, RunNote } from './run-findings.ts'
import { runOrigin } from './run-origin.ts'
import { OtherRun, RunState, TargetProgress } from './run-state.ts'
import { Transforms, WhenEmpty } from './transforms.ts'
import { type UserFieldName, userFieldNames } from './user-fields.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export const DELIMITERS = [',', ';', '\t', '|'] as const

/** Where a field comes from: a column (`values` translate it), a chain of transforms, or both; dates are read by `dateFormat` after them. */
export const FieldMapping = z.object({
  column: upTo(300).min(1).optional(),
  dateFormat: DateFormat.optional(),
  values: z.record(upTo(300), upTo(1000)).optional(),
  transforms: Transforms.optional(),
  whenEmpty: WhenEmpty.optional(),
})
export type FieldMapping = z.infer<typeof FieldMapping>

/** What of a file becomes what of a person, and who is in `scope` (everybody without one); remembered as a version of the configuration. */
export const Mapping = z.object({
  fields: z.partialRecord(z.enum(userFieldNames as [UserFieldName, ...UserFieldName[]]), FieldMapping),
  scope: MappingScope.optional(),
})
export type Mapping = z.infer<typeof Mapping>

export const Column = z.object({
  name: z.string(),
  samples: z.array(z.string()),
  /** Share of filled cells in the sample, 0 to 1. */
  filled: z.number(),
  /** Date formats that every sampled value can be read in; more than one means that the file does not tell. */
  dateFormats: z.array(DateFormat),
})
export type Column = z.infer<typeof Column>

/** A stored upload as far as its first rows tell. */
export const SourceFile = z.object({
  id: Id,
  connectorId: Id,
  name: z.string(),
  size: z.number().int(),
  format: z.enum(['csv', 'xlsx']),
  encoding: z.enum(ENCODINGS).nullable(),
  delimiter: z.enum(DELIMITERS).nullable(),
  columns: z.array(Column),
  sampleRows: z.array(z.array(z.string())),
  /** The connector's remembered mapping where its columns are all there, else a suggestion. */
  mapping: Mapping,
  remembered: z.boolean(),
  /** Mapped before, not in this file. */
  lostColumns: z.array(z.string()),
  createdAt: Instant,
})
export type SourceFile = z.infer<typeof SourceFile>

export const STAGES = ['read', 'match', 'compare', 'apply'] as const

export const Stage = z.object({
  name: z.enum(STAGES),
  state: z.enum(['waiting', 'running', 'done']),
  /** Rows dealt with so far; of `match` those that are somebody's. */
  count: z.number().int(),
  total: z.number().int().nullable(),
  milliseconds: z.number().int(),
})

export const Run = z.object({
  id: Id,
  connectorId: Id,
  connectorName: z.string(),
  correlationId: z.string(),
  fileName: z.string().nullable(),
  ...runOrigin,
  state: RunState,
  stages: z.array(Stage),
  counts: z.record(PlanKind, z.number().int()),
  /** Rows applied so far, and rows that had moved on since the plan and were left alone. */
  applied: z.number().int(),
  stale: z.number().int(),
  /** The gravest reason; `heldBy` has them all, gravest first. */
  held: HeldReason.nullable(),
  heldBy: z.array(HeldReason),
  notes: z.array(RunNote),
  failure: z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
  createdBy: z.string(),
  decidedBy: z.string().nullable(),
  decisionReason: z.string().nullable(),
  /** Shows what a configuration would make of what was read last; it ended with its plan and cannot be applied. */
  trial: z.boolean(),
  /** The version of the configuration that it goes by; null where it goes by none. */
  configVersion: z.number().int().nullable(),
  /** The run that this one takes back. */
  undoes: OtherRun.nullable(),
  /** The newest run that takes this one back, or is about to. */
  undoneBy: OtherRun.nullable(),
  /** The run whose rows this one plans again, because their people had changed when it came to them. */
  follows: OtherRun.nullable(),
  /** The run that plans what this one left alone. */
  followedBy: OtherRun.nullable(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  version: z.number().int(),
})
export type Run = z.infer<typeof Run>

/** A code, the field concerned, and figures for the sentence. */
export const PlanReason = z.object({
  code: z.string(),
  field: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

export const PLAN_ROW_STATES = ['pending', 'applied', 'stale'] as const

/** One row of a plan. `before` and `after` hold the changed fields only (all of them for a create). */
export const PlanRow = z.object({
  sequence: z.number().int(),
  kind: PlanKind,
  state: z.enum(PLAN_ROW_STATES),
  rowNumber: z.number().int().nullable(),
  userId: Id.nullable(),
  /** The case that a conflict waits for. */
  caseId: Id.nullable(),
  sourceKey: z.string().nullable(),
  displayName: z.string(),
  employeeId: z.string(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** Why the row is what it is. */
  reasons: z.array(PlanReason),
})
export type PlanRow = z.infer<typeof PlanRow>

const who = { roles: TENANT_ADMINS, bit: 'importUsers' } as const
const connectorParams = z.object({ connectorId: Id })
const runParams = z.object({ tenantId: Id, runId: Id })

export const uploadFile = endpoint({
  id: 'sync.uploadFile',
  method: 'POST',
  path: '/connectors/{connectorId}/files',
  summary: 'Stores a CSV or XLSX file (part `file`) and answers its columns, sample rows and a mapping. Nothing else changes.',
  who,
  within: 'connector',
  params: connectorParams,
  bodyKind: 'multipart',
  response: SourceFile,
  status: 201,
  problems: [...FILE_PROBLEMS, 'CONNECTOR_KIND_WRONG', 'CONNECTOR_DISABLED'],
})

export const getFile = endpoint({
  id: 'sync.getFile',
  method: 'GET',
  path: '/connectors/{connectorId}/files/{fileId}',
  summary: 'A stored upload; `encoding` and `delimiter` read it again in another way.',
  who,
  within: 'connector',
  params: z.object({ connectorId: Id, fileId: Id }),
  query: z.object({ encoding: z.enum(ENCODINGS).optional(), delimiter: z.enum(DELIMITERS).optional() }),
  response: SourceFile,
  problems: [...FILE_PROBLEMS, 'FILE_GONE'],
})

export const startRun = endpoint({
  id: 'sync.startRun',
  method: 'POST',
  path: '/connectors/{connectorId}/runs',
  summary: 'Plans what the file would change. Nothing changes until the plan is applied. Without `mapping` the remembered one is used.',
  who,
  within: 'connector',
  params: connectorParams,
  body: z.object({
    fileId: Id,
    mapping: Mapping.optional(),
    encoding: z.enum(ENCODINGS).optional(),
    delimiter: z.enum(DELIMITERS).optional(),
  }),
  response: Run,
  status: 202,
  problems: [
    ...FILE_PROBLEMS,
    'MAPPING_INCOMPLETE',
    'MAPPING_COLUMN_MISSING',
    'MAPPING_ABSENT',
    'RUN_ACTIVE',
    'FILE_GONE',
    'CONNECTOR_KIND_WRONG',
    'CONNECTOR_DISABLED',
  ],
})

export const listRuns = endpoint({
  id: 'sync.listRuns',
  method: 'GET',
  path: '/connectors/{tenantId}/runs',
  summary: 'Runs of the tenant, newest first.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ ...pageQuery, connectorId: Id.optional(), state: RunState.optional() }),
  response: page(Run),
  problems: ['TOKEN_FOREIGN'],
})

export const getRun = endpoint({
  id: 'sync.getRun',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}',
  summary: 'One run.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: runParams,
  response: Run.extend({ targets: z.array(TargetProgress) }),
})

export const watchRun = endpoint({
  id: 'sync.watchRun',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/progress',
  summary: 'The run as it goes on: one `run` event at once and at every change, until it is over and every target has answered.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: runParams,
  response: Run.extend({ targets: z.array(TargetProgress) }),
  responseKind: 'events',
})

export const listPlanRows = endpoint({
  id: 'sync.listPlanRows',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/plan',
  summary: 'Rows of the plan in the order of the file.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: runParams,
  query: z.object({
    ...pageQuery,
    kind: PlanKind.optional(),
    searchText: SearchText.optional(),
    ...planPlace,
    ...planCause,
  }),
  response: page(PlanRow),
  problems: ['TOKEN_FOREIGN'],
})

export const downloadPlanRows = endpoint({
  id: 'sync.downloadPlanRows',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/plan/download',
  summary:
    'The rows of the plan (of one kind, site, department, cause, or found by a text) as CSV: row, employee id, display name, message.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: runParams,
  query: z.object({ kind: PlanKind.optional(), searchText: SearchText.optional(), ...planPlace, ...planCause }),
  responseKind: 'file',
})

const decision = { who, within: 'tenant', method: 'POST', params: runParams, response: Run } as const
const reasoned = { ...decision, body: z.object({ reason: upTo(1000, z.string().trim()).optional() }) } as const

export const applyRun = endpoint({
  ...reasoned,
  id: 'sync.applyRun',
  path: '/connectors/{tenantId}/runs/{runId}/apply',
  summary: 'Applies exactly the plan. A held run needs a reason.',
  status: 202,
  problems: ['RUN_STATE_WRONG', 'RUN_REASON_REQUIRED', 'RUN_TRIAL'],
})

export const rejectRun = endpoint({
  ...reasoned,
  id: 'sync.rejectRun',
  path: '/connectors/{tenantId}/runs/{runId}/reject',
  summary: 'Throws the plan away; nothing has changed.',
  problems: ['RUN_STATE_WRONG', 'RUN_TRIAL'],
})

export const cancelRun = endpoint({
  ...decision,
  id: 'sync.cancelRun',
  path: '/connectors/{tenantId}/runs/{runId}/cancel',
  summary: 'Stops a run that is being planned or applied. What was applied by then stays, and can be undone.',
  problems: ['RUN_STATE_WRONG', 'RUN_TRIAL'],
})
