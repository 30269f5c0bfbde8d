import { readPasted } from '@instep/connectors/file/read-pasted.ts'
import type { Explanation } from '@instep/contract/explain.ts'
import { fieldsOf, holdsFor } from '@instep/contract/holds-for.ts'
import type { NamedRecord } from '@instep/contract/mapping-trace.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { userTargets } from '../provisioning/public.ts'
import { todayIn } from '../users/public.ts'
import { loadConfig } from './connector-config.store.ts'
import type { SiteDays } from './employment.rules.ts'
import { findExplainedPerson } from './explain.views.ts'
import { explainPlacement } from './explain-placement.ts'
import { explainFields, explainScope, nothingChanges, shownCells, shownMatch } from './explanation.ts'
import { createMapper } from './map-record.ts'
import { changedRecords, type MatchedRecord } from './match.ts'
import { asProblem } from './open-upload.ts'
import { placeableSites } from './placeable-sites.ts'
import { type Placing, placingFor } from './placement.rules.ts'
import { isOutOfScope, planOutOfScope, planRecord } from './plan.ts'
import { isReadable, matchRecords } from './plan-run.ts'
import { findProtection } from './protected-people.store.ts'
import { resolveMapping } from './resolve-mapping.ts'
import { loadSiteDays } from './site-days.ts'
import { sourceForRuns } from './source-for-runs.ts'
import { keyReader, recordHasher } from './stage.ts'
import type { SyncDeps } from './sync-deps.ts'

type Deps = Pick<SyncDeps, 'db' | 'clock' | 'pool'>

interface Place {
  readonly tenantId: string
  readonly connectorId: string
}

/** The row it would have in a file of its own. */
const ONLY_ROW = 2

type Loaded = Awaited<ReturnType<typeof loadConfig>>

/** Stages the record as a run would and lets the same query match it; nothing of it is kept. */
const matchOnly = async (
  { db, pool }: Pick<SyncDeps, 'db' | 'pool'>,
  { tenantId, connectorId }: Place,
  { header, cells, config }: NamedRecord & { config: Loaded },
): Promise<MatchedRecord | undefined> => {
  const mapping = resolveMapping(config.mapping, header)
  const { columns } = mapping
  const runId = uuidv7()
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      'insert into staged_records (tenant_id, run_id, row_number, source_key, record_hash, raw) values ($1, $2, $3, $4, $5, $6)',
      [tenantId, runId, ONLY_ROW, keyReader(columns)(cells), recordHasher(columns)(cells), JSON.stringify(cells)],
    )
    const scope = { tenantId, connectorId, runId, mappingVersion: config.mappingVersion, rereads: true }
    await matchRecords(
      { db, scope, config, mapping, signal: new AbortController().signal },
      { client, map: createMapper(mapping), inScope: undefined },
    )
    for await (const [first] of changedRecords(client, scope)) return first
    return undefined
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

/** Reads what was pasted; what makes a file unreadable is a problem of the same code. */
const pasted = (text: string): NamedRecord => {
  try {
    return readPasted(text)
  } catch (error) {
    throw asProblem(error)
  }
}

const decide = (
  matched: MatchedRecord,
  config: Loaded,
  { header, today, days, placing }: { header: readonly string[]; today: string; days: SiteDays; placing: Placing },
): Explanation['decision'] => {
  const { record, match, cells } = matched
  const { scope } = config.mapping
  const mapping = resolveMapping(config.mapping, header)
  if (!isReadable(mapping)) {
    const columns = mapping.lostColumns.join(', ')
    return { ...nothingChanges(), kind: 'invalid', reasons: [{ code: 'columnsMissing', params: { columns } }] }
  }
  if (match.ignored) return { ...nothingChanges('ignoredByAnswer'), kind: 'ignored' }
  const mapped = createMapper(mapping)(cells)
  const outOfScope = scope && isOutOfScope(record, { mapped, match }, { fields: new Set(fieldsOf(scope)), holds: holdsFor(scope, today) })
  const row = outOfScope ? planOutOfScope(record, match) : planRecord(record, { mapped, match, days, placing }, uuidv7)
  if (row)
    return {
      kind: row.kind,
      state: null,
      reasons: [...row.reasons] as Explanation['decision']['reasons'],
      before: row.before,
      after: row.after,
    }
  return outOfScope ? { ...nothingChanges('neverInScope'), kind: 'outOfScope' } : { ...nothingChanges('sameAsBefore'), kind: 'unchanged' }
}

const GOES: ReadonlySet<string> = new Set(['deactivate', 'leave'])

/** A run spares whom a sync never deactivates; so does this. */
const spare = async (
  db: SyncDeps['db'],
  key: { tenantId: string; connectorId: string; userId: string | undefined },
  decision: Explanation['decision'],
): Promise<Explanation['decision']> => {
  const { kind, before, reasons } = decision
  if (!key.userId || !(GOES.has(kind) || (kind === 'future' && before['active'] === true))) return decision
  const code = await findProtection(db, { ...key, userId: key.userId })
  return code === null ? decision : { ...nothingChanges(), kind: 'conflict', reasons: [...reasons, { code }] }
}

/** What the configuration in force would do with a record that was pasted in. Throws as `explainNamed` does. */
export const explainRecord = (deps: Deps, given: Place & { text: string }): Promise<Explanation> =>
  explainNamed(deps, given, pasted(given.text))

/**
 * What the configuration in force would do with one record. Throws `MAPPING_ABSENT` before there is a mapping, and the problems of a connector that
 * may not run.
 */
export const explainNamed = async (deps: Deps, given: Place, named: NamedRecord): Promise<Explanation> => {
  const { db, clock } = deps
  const { tenantId, connectorId } = given
  const source = await sourceForRuns(db, given)
  if (source.configVersion === null || !source.config.mapping) throw problem('MAPPING_ABSENT')
  const config = await loadConfig(db, { tenantId, connectorId, version: source.configVersion })
  const today = await todayIn(db, tenantId, clock.now())
  const matched = await matchOnly(deps, given, { ...named, config })
  if (!matched) throw new Error('a staged record was not matched')
  const { person: met, asked } = matched.match
  const userId = met?.userId ?? asked?.candidates[0]?.userId
  const person = userId ? await findExplainedPerson(db, { tenantId, userId }) : undefined
  const decided = decide(matched, config, {
    header: named.header,
    today,
    days: await loadSiteDays(db, { tenantId, at: clock.now() }),
    placing: placingFor(config.placement, await placeableSites(db, tenantId), today),
  })
  const decision = await spare(db, { tenantId, connectorId, userId: met?.userId }, decided)
  return {
    connectorId,
    connectorName: source.name,
    run: null,
    record: { state: 'kept', rowNumber: null, key: matched.record.sourceKey, sameKey: 1, cells: shownCells(named) },
    scope: explainScope(config.mapping, { record: named, person, today }),
    match: shownMatch(person, decision.kind === 'conflict' ? 'conflict' : met ? 'linked' : 'new'),
    fields: explainFields(config.mapping, named, person),
    ...(await explainPlacement(db, tenantId, { record: named, person, config, today })),
    decision,
    targets: person ? await userTargets(db, { tenantId, userId: person.id }) : [],
  }
}
