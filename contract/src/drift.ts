/** Reading a target back: what there is not what was applied, and what is to become of it (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { RunState } from './run-state.ts'

export const DRIFT_KINDS = ['changed', 'missing', 'unknown'] as const
export const DriftKind = z.enum(DRIFT_KINDS)
export type DriftKind = z.infer<typeof DriftKind>

export const DRIFT_STATES = ['open', 'accepted', 'putBack', 'linked', 'ignored'] as const

/** Findings that one call decides at most. */
export const MOST_DECIDED = 1000

/**
 * `accept`: what is there stays until either side has another value. `putBack`: the account is made what it should be. `link`: an unknown account is a
 * person's from now on. `ignore`: this account's drift is not told again.
 */
export const DRIFT_DECISIONS = ['accept', 'putBack', 'link', 'ignore'] as const
export type DriftDecision = (typeof DRIFT_DECISIONS)[number]

/** Which decisions suit which kind. */
export const DECISIONS_OF: Readonly<Record<DriftKind, readonly DriftDecision[]>> = {
  changed: ['putBack', 'accept', 'ignore'],
  missing: ['putBack', 'accept', 'ignore'],
  unknown: ['link', 'ignore'],
}

const timeZone = z
  .string()
  .max(100)
  .refine((zone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  })

export const DriftSettings = z.object({
  every: z.enum(['off', 'daily', 'weekly']),
  /** 0 is Sunday; of weekly only. */
  weekday: z.number().int().min(0).max(6),
  hour: z.number().int().min(0).max(23),
  timeZone,
  /** A scheduled run puts back what was changed or removed there, within its guard. */
  putBack: z.boolean(),
})
export type DriftSettings = z.infer<typeof DriftSettings>

export const DriftRun = z.object({
  id: Id,
  state: RunState,
  began: z.enum(['hand', 'schedule']),
  createdBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  /** Accounts read so far, and how many the target says there are. */
  listed: z.number().int(),
  total: z.number().int().nullable(),
  /** Accounts that are known to be there. */
  known: z.number().int(),
  changed: z.number().int(),
  missing: z.number().int(),
  unknown: z.number().int(),
  /** Put back by the run itself. */
  putBack: z.number().int(),
  /** Why the run put nothing back by itself; null where it was not asked to, or did. */
  held: z.object({ code: z.enum(['driftIncomplete', 'driftTooMuch']), params: z.record(z.string(), z.number()) }).nullable(),
  failure: z.object({ code: z.string(), detail: z.string().nullable() }).nullable(),
})
export type DriftRun = z.infer<typeof DriftRun>

export const DriftChange = z.object({ attribute: z.string(), applied: z.unknown(), found: z.unknown() })
export type DriftChange = z.infer<typeof DriftChange>

export const DriftFinding = z.object({
  sequence: z.number().int(),
  kind: DriftKind,
  state: z.enum(DRIFT_STATES),
  remoteId: z.string(),
  /** What the account calls itself. */
  name: z.string().nullable(),
  person: z.object({ id: Id, connectorId: Id, displayName: z.string(), employeeId: z.string() }).nullable(),
  changes: z.array(DriftChange),
  decidedBy: z.string().nullable(),
  decidedAt: Instant.nullable(),
})
export type DriftFinding = z.infer<typeof DriftFinding>

const target = { tenantId: Id, id: Id }
const seen = { who: { roles: TENANT_ADMINS }, within: 'tenant' } as const
const done = { who: { roles: TENANT_ADMINS, bit: 'editSettings' }, within: 'tenant' } as const

export const getDrift = endpoint({
  ...seen,
  id: 'drift.get',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/drift',
  summary: 'When a target is read back, when next, and its newest runs.',
  params: z.object(target),
  response: z.object({ settings: DriftSettings, nextAt: Instant.nullable(), runs: z.array(DriftRun) }),
})

export const setDrift = endpoint({
  ...done,
  id: 'drift.set',
  method: 'PUT',
  path: '/connectors/{tenantId}/instances/{id}/drift',
  summary: 'Sets when a target is read back by itself, and whether such a run puts things back.',
  params: z.object(target),
  body: DriftSettings,
  response: z.object({ settings: DriftSettings, nextAt: Instant.nullable() }),
})

export const startDrift = endpoint({
  ...done,
  id: 'drift.start',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs',
  summary: 'Reads a target back now.',
  params: z.object(target),
  response: DriftRun,
  status: 202,
  problems: ['RUN_ACTIVE', 'CONNECTOR_DISABLED'],
})

const run = { params: z.object({ ...target, runId: Id }) }

export const cancelDrift = endpoint({
  ...done,
  ...run,
  id: 'drift.cancel',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs/{runId}/cancel',
  summary: 'Stops reading a target back. What was found so far is thrown away.',
  response: DriftRun,
  problems: ['RUN_STATE_WRONG'],
})

export const listDriftFindings = endpoint({
  ...seen,
  ...run,
  id: 'drift.findings',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs/{runId}/findings',
  summary: 'What a run found, of one kind, undecided or all.',
  query: z.object({ ...pageQuery, kind: DriftKind, state: z.enum(['open', 'all']).default('open') }),
  response: page(DriftFinding),
  problems: ['TOKEN_FOREIGN'],
})

export const decideDrift = endpoint({
  ...done,
  ...run,
  id: 'drift.decide',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs/{runId}/findings/decide',
  summary:
    'Decides findings by their sequence, or up to 1,000 undecided ones of a kind. Those that the decision does not suit stay as they are.',
  body: z.object({
    decision: z.enum(DRIFT_DECISIONS),
    kind: DriftKind,
    sequences: z.array(z.number().int().min(1).max(2_000_000_000)).min(1).max(MOST_DECIDED).optional(),
    /** To link: the person whose account it is; then there is one sequence. */
    userId: Id.optional(),
  }),
  response: z.object({ decided: z.number().int(), remaining: z.number().int() }),
  problems: ['ACCOUNT_LINKED', 'RUN_STATE_WRONG', 'MAINTENANCE'],
})

export const suggestDriftLinks = endpoint({
  ...seen,
  ...run,
  id: 'drift.suggest',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs/{runId}/candidates',
  summary:
    'People without an account at the target, or whose account the run found missing, whose user name, external id or work email an unknown one has.',
  query: z.object({ sequence: z.coerce.number().int().min(1).max(2_000_000_000) }),
  response: z.object({
    candidates: z.array(z.object({ id: Id, connectorId: Id, displayName: z.string(), employeeId: z.string(), foundBy: z.string() })),
  }),
})

/** A value of an account that may differ, because somebody has accepted it; `attribute` is null for an account that is not there. */
export const AcceptedValue = z.object({
  attribute: z.string().nullable(),
  /** What we would write, and what is there. */
  ours: z.unknown(),
  theirs: z.unknown(),
  by: z.string(),
  at: Instant,
})
export type AcceptedValue = z.infer<typeof AcceptedValue>

export const AcceptedDrift = AcceptedValue.extend({ userId: Id, connectorId: Id, displayName: z.string(), employeeId: z.string() })
export type AcceptedDrift = z.infer<typeof AcceptedDrift>

export const listAcceptedDrift = endpoint({
  ...seen,
  id: 'drift.accepted',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/drift/accepted',
  summary: 'What may differ at a target because somebody has accepted it, by person; each until either side has another value.',
  params: z.object(target),
  query: z.object(pageQuery),
  response: page(AcceptedDrift),
  problems: ['TOKEN_FOREIGN'],
})

export const revokeAcceptedDrift = endpoint({
  ...done,
  id: 'drift.revoke',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/drift/accepted/revoke',
  summary: 'Takes back that something may differ: the account is read back and made what it should be.',
  params: z.object(target),
  body: z.object({ userId: Id, attribute: z.string().max(1000).nullable() }),
  response: z.object({ revoked: z.number().int() }),
  problems: ['MAINTENANCE'],
})

export const downloadDrift = endpoint({
  ...seen,
  ...run,
  id: 'drift.download',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/drift/runs/{runId}/file',
  summary: 'Everything that a run found, as CSV: a line for each changed attribute, missing account and unknown account.',
  responseKind: 'file',
})
