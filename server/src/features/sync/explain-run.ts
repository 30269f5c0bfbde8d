import type { Explanation } from '@instep/contract/explain.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { userTargets } from '../provisioning/public.ts'
import { todayIn } from '../users/public.ts'
import { loadConfig } from './connector-config.store.ts'
import {
  type ExplainedPerson,
  type ExplainedRun,
  findExplainedPerson,
  findExplainedRun,
  findLink,
  findPlanRow,
  findRecord,
  isIgnored,
  type KeptRecord,
  keepsRecords,
  newestPlannedRun,
} from './explain.views.ts'
import { explainPlacement } from './explain-placement.ts'
import { explainFields, explainScope, nothingChanges, shownCells, shownMatch, shownRun } from './explanation.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SyncInput } from './sync-input.ts'

type Deps = Pick<SyncDeps, 'db' | 'clock'>

interface About {
  readonly userId?: string | undefined
  readonly rowNumber?: number | undefined
}

/** What is known of whom a question is about: the record, the person, and the plan's row. */
interface Known {
  readonly record: KeptRecord | undefined
  readonly key: string | null
  readonly person: ExplainedPerson | undefined
  readonly row: Awaited<ReturnType<typeof findPlanRow>>
  readonly ignored: boolean
}

const know = async (db: Db, run: ExplainedRun, { userId, rowNumber }: About): Promise<Known> => {
  const { tenantId, connectorId, id: runId } = run
  const linked = userId ? await findLink(db, { tenantId, connectorId, userId }) : undefined
  const byRow = rowNumber === undefined ? undefined : await findRecord(db, { runId, rowNumber })
  const row = await findPlanRow(db, { tenantId, runId, userId, key: linked?.key ?? byRow?.key ?? null, rowNumber: rowNumber ?? null })
  const key = linked?.key ?? byRow?.key ?? row?.sourceKey ?? null
  const record = byRow ?? (key === null ? undefined : await findRecord(db, { runId, rowNumber: row?.rowNumber ?? undefined, key }))
  const whose = userId ?? row?.userId ?? (key === null ? undefined : (await findLink(db, { tenantId, connectorId, key }))?.userId)
  const person = whose ? await findExplainedPerson(db, { tenantId, userId: whose }) : undefined
  return { record, key, person, row, ignored: !row && !person && (await isIgnored(db, { tenantId, connectorId, key })) }
}

const decisionOf = ({ row, record, person, ignored }: Known, inScope: Explanation['scope']['state']): Explanation['decision'] => {
  if (row) {
    const { kind, state, reasons, before, after } = row
    return { kind, state, reasons, before, after }
  }
  if (!record) return nothingChanges(person?.active === false ? 'absentBefore' : 'notFromHere')
  if (ignored) return { ...nothingChanges('ignoredByAnswer'), kind: 'ignored' }
  if (inScope === 'out') return { ...nothingChanges('neverInScope'), kind: 'outOfScope' }
  return { ...nothingChanges('sameAsBefore'), kind: 'unchanged' }
}

const matchOf = ({ row, record, person }: Known): Explanation['match']['state'] => {
  if (row?.kind === 'conflict') return 'conflict'
  if (row?.kind === 'create') return 'new'
  if (person) return 'linked'
  return record && row?.kind !== 'invalid' ? 'new' : 'unknown'
}

const explain = async ({ db, clock }: Deps, run: ExplainedRun, about: About): Promise<Explanation> => {
  const { tenantId, connectorId } = run
  const known = await know(db, run, about)
  const { record, key, person, row } = known
  // whoever this run and its connector know nothing about is nobody to it
  if (!record && !row && person?.connectorId !== connectorId) throw problem('NOT_FOUND')
  const { configVersion } = SyncInput.parse(run.input)
  const config = await loadConfig(db, { tenantId, connectorId, version: configVersion })
  const { mapping } = config
  const today = await todayIn(db, tenantId, clock.now())
  const named = record && run.header ? { header: run.header, cells: record.cells } : undefined
  const scope = explainScope(mapping, { record: named, person, today })
  const gone = !record && (row ? row.rowNumber !== null : !(await keepsRecords(db, run.id)))
  return {
    connectorId,
    connectorName: run.connectorName,
    run: shownRun(run, configVersion),
    record: {
      state: record ? 'kept' : gone ? 'gone' : 'absent',
      rowNumber: record?.rowNumber ?? row?.rowNumber ?? null,
      key,
      sameKey: record?.sameKey ?? 0,
      cells: named ? shownCells(named) : [],
    },
    scope,
    match: shownMatch(person, matchOf(known)),
    fields: explainFields(mapping, named, person),
    ...(await explainPlacement(db, tenantId, { record: named, person, config, today })),
    decision: decisionOf(known, scope.state),
    targets: person ? await userTargets(db, { tenantId, userId: person.id }) : [],
  }
}

/** What a run saw and decided about a person or a row of its file. Throws `NOT_FOUND` where it knows neither. */
export const explainRun = async (
  deps: Deps,
  { tenantId, runId, ...about }: About & { tenantId: string; runId: string },
): Promise<Explanation> => {
  const run = await findExplainedRun(deps.db, { tenantId, runId })
  if (!run || (about.userId === undefined && about.rowNumber === undefined)) throw problem('NOT_FOUND')
  return explain(deps, run, about)
}

/** The same of the newest run of a person's connector. Throws `NOT_FOUND` where there is none, or nobody. */
export const explainUser = async (
  deps: Deps,
  { tenantId, connectorId, userId }: { tenantId: string; connectorId: string; userId: string },
): Promise<Explanation> => {
  const person = await findExplainedPerson(deps.db, { tenantId, userId })
  const run = person?.connectorId === connectorId ? await newestPlannedRun(deps.db, { tenantId, connectorId }) : undefined
  if (!run) throw problem('NOT_FOUND')
  return explain(deps, run, { userId })
}
