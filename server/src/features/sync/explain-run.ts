import type { Explanation } from '@instep/contract/explain.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { userTargets } from '../provisioning/public.ts'
import { todayIn } from '../users/public.ts'
import { type LoadedConfig, loadConfig } from './connector-config.store.ts'
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
import { isPartial, RunInput } from './sync-input.ts'

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
  /** Whether a record of this source is the person's. */
  readonly linked: boolean
}

const know = async (db: Db, run: ExplainedRun, { userId, rowNumber }: About): Promise<Known> => {
  const { tenantId, connectorId, id: runId } = run
  const link = userId ? await findLink(db, { tenantId, connectorId, userId }) : undefined
  const byRow = rowNumber === undefined ? undefined : await findRecord(db, { runId, rowNumber })
  const row = await findPlanRow(db, { tenantId, runId, userId, key: link?.key ?? byRow?.key ?? null, rowNumber: rowNumber ?? null })
  const key = link?.key ?? byRow?.key ?? row?.sourceKey ?? null
  const record = byRow ?? (key === null ? undefined : await findRecord(db, { runId, rowNumber: row?.rowNumber ?? undefined, key }))
  const whose = userId ?? row?.userId ?? (key === null ? undefined : (await findLink(db, { tenantId, connectorId, key }))?.userId)
  const person = whose ? await findExplainedPerson(db, { tenantId, userId: whose }) : undefined
  const ignored = !row && !person && (await isIgnored(db, { tenantId, connectorId, key }))
  return { record, key, person, row, ignored, linked: link !== undefined }
}

/** Why a run that has no record of somebody plans nothing for them. */
const absence = ({ person, linked }: Known, input: RunInput, state: Explanation['record']['state']): string => {
  if (state === 'none') return 'untouchedByRun'
  if (state === 'gone') return 'recordGone'
  if (person?.active === false) return 'absentBefore'
  if (!linked) return 'notFromHere'
  return !('undoes' in input) && isPartial(input) ? 'notAmongChanges' : 'nothingSaid'
}

const decisionOf = (
  known: Known,
  { input, state, inScope }: { input: RunInput; state: Explanation['record']['state']; inScope: Explanation['scope']['state'] },
): Explanation['decision'] => {
  const { row, record, ignored } = known
  if (row) {
    const { kind, reasons, before, after } = row
    return { kind, state: row.state, reasons, before, after }
  }
  if (!record) return nothingChanges(absence(known, input, state))
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

const NOT_JUDGED: Explanation['scope'] = { state: 'unknown', fields: [] }

/** What an undo goes by: nothing is read, so that there is nothing to map. */
const NO_CONFIG: LoadedConfig = { mapping: { fields: {} }, mappingVersion: 0 }

/** Whether the record of somebody is kept, and if not, why. */
const recordState = async (db: Db, run: ExplainedRun, { record, row }: Known): Promise<Explanation['record']['state']> => {
  if (record) return 'kept'
  if ('undoes' in run.input) return 'none'
  const gone = row ? row.rowNumber !== null : !(await keepsRecords(db, run.id))
  return gone ? 'gone' : 'absent'
}

const explain = async ({ db, clock }: Deps, run: ExplainedRun, about: About): Promise<Explanation> => {
  const { tenantId, connectorId } = run
  const known = await know(db, run, about)
  const { record, key, person, row } = known
  // whoever this run and its connector know nothing about is nobody to it
  if (!record && !row && person?.connectorId !== connectorId) throw problem('NOT_FOUND')
  const input = RunInput.parse(run.input)
  const configVersion = 'configVersion' in input ? input.configVersion : null
  const config = configVersion === null ? NO_CONFIG : await loadConfig(db, { tenantId, connectorId, version: configVersion })
  const today = await todayIn(db, tenantId, clock.now())
  const named = record && run.header ? { header: run.header, cells: record.cells } : undefined
  const scope = configVersion === null ? NOT_JUDGED : explainScope(config.mapping, { record: named, person, today })
  const state = await recordState(db, run, known)
  return {
    connectorId,
    connectorName: run.connectorName,
    run: shownRun(run, configVersion),
    record: {
      state,
      rowNumber: record?.rowNumber ?? row?.rowNumber ?? null,
      key,
      sameKey: record?.sameKey ?? 0,
      cells: named ? shownCells(named) : [],
    },
    scope,
    match: shownMatch(person, matchOf(known)),
    fields: explainFields(config.mapping, named, person),
    ...(await explainPlacement(db, tenantId, { record: named, person, config, today })),
    decision: decisionOf(known, { input, state, inScope: scope.state }),
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
  const link = await findLink(deps.db, { tenantId, connectorId, userId })
  const key = link?.key ?? null
  const run = person?.connectorId === connectorId ? await newestPlannedRun(deps.db, { tenantId, connectorId, key }) : undefined
  if (!run) throw problem('NOT_FOUND')
  return explain(deps, run, { userId })
}
