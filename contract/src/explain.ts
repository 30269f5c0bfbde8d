/** Why somebody did or did not change: what a run saw of them, what was made of it, what was decided, what each target answered. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { FieldTrace } from './mapping-trace.ts'
import { Id, Instant, PlainDate } from './page.ts'
import { PLAN_KINDS } from './plan-kinds.ts'
import { FILE_PROBLEMS } from './problem.ts'
import { TENANT_ADMINS } from './roles.ts'
import { HeldReason } from './run-findings.ts'
import { RunState } from './run-state.ts'
import { PLAN_ROW_STATES, PlanReason } from './sync.ts'
import { UserTarget } from './users.ts'

/** What a mapped field came to, beside what the directory holds now. */
export const ExplainedField = FieldTrace.extend({
  /** What the source said last, as the directory remembers it; null where there is nothing or nobody. */
  base: z.unknown(),
  /** What lists and targets see. */
  effective: z.unknown(),
  override: z
    .object({ value: z.unknown(), by: z.string(), at: Instant, reason: z.string().nullable(), until: PlainDate.nullable() })
    .nullable(),
})
export type ExplainedField = z.infer<typeof ExplainedField>

/** What a run decides about somebody; `nothing`: it has no row for them. */
export const DECISION_KINDS = [...PLAN_KINDS, 'nothing'] as const

export const Explanation = z.object({
  connectorId: Id,
  connectorName: z.string(),
  /** The run that is explained; null for a record given by hand. */
  run: z
    .object({
      id: Id,
      fileName: z.string().nullable(),
      createdAt: Instant,
      createdBy: z.string(),
      state: RunState,
      held: HeldReason.nullable(),
      decidedBy: z.string().nullable(),
      decisionReason: z.string().nullable(),
      /** Null: an undo goes by none. */
      configVersion: z.number().int().nullable(),
    })
    .nullable(),
  /** `absent`: the source did not name the person. `gone`: it may have, and its records are no longer kept. `none`: the run, an undo, read no source. */
  record: z.object({
    state: z.enum(['kept', 'absent', 'gone', 'none']),
    rowNumber: z.number().int().nullable(),
    key: z.string().nullable(),
    sameKey: z.number().int(),
    cells: z.array(z.object({ column: z.string(), text: z.string() })),
  }),
  /** `unknown` where there is no record to look at. `fields`: what the scope asks for, with the values it was judged by. */
  scope: z.object({
    state: z.enum(['everybody', 'in', 'out', 'unknown']),
    fields: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
  }),
  /** `linked`: the source's record of this key is this person's. */
  match: z.object({
    state: z.enum(['linked', 'new', 'conflict', 'unknown']),
    person: z.object({ id: Id, connectorId: Id, displayName: z.string(), employeeId: z.string(), active: z.boolean() }).nullable(),
  }),
  fields: z.array(ExplainedField),
  /** Where the rules put the person (`rule` counted from 1), or the location where there are none; null: nothing is known of anybody. */
  placement: z
    .object({
      rules: z.number().int(),
      rule: z.number().int().nullable(),
      /** Null: the Unassigned bucket. */
      site: z.object({ id: Id, name: z.string() }).nullable(),
      /** Where the person works now. */
      now: z.object({ id: Id, name: z.string() }).nullable(),
    })
    .nullable(),
  /** Until when somebody deactivated is kept. */
  keptUntil: Instant.nullable(),
  /** `nothing`: nobody would change. */
  decision: z.object({
    kind: z.enum(DECISION_KINDS),
    state: z.enum(PLAN_ROW_STATES).nullable(),
    reasons: z.array(PlanReason),
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
  }),
  targets: z.array(UserTarget),
})
export type Explanation = z.infer<typeof Explanation>

export const explainRun = endpoint({
  id: 'sync.explainRun',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/explain',
  summary: 'What a run saw and decided about one person or one row of its file, also where nothing changed.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  query: z.object({ userId: Id.optional(), rowNumber: z.coerce.number().int().min(1).max(2_000_000_000).optional() }),
  response: Explanation,
})

export const explainUser = endpoint({
  id: 'sync.explainUser',
  method: 'GET',
  path: '/connectors/{connectorId}/users/{id}/explain',
  summary: 'The same about the newest run of the connector that was planned.',
  who: { roles: TENANT_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id, id: Id }),
  response: Explanation,
})

export const explainRecord = endpoint({
  id: 'sync.explainRecord',
  method: 'POST',
  path: '/connectors/{connectorId}/explain',
  summary: 'What the configuration in force would do with a record pasted in: its header line and one row. Nothing is kept.',
  who: { roles: TENANT_ADMINS, bit: 'importUsers' },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  /** The header line and one record below it, as copied from the file. */
  body: z.object({ text: upTo(100_000).min(1) }),
  response: Explanation,
  problems: [...FILE_PROBLEMS, 'MAPPING_ABSENT', 'CONNECTOR_KIND_WRONG', 'CONNECTOR_DISABLED'],
})
