import pg from 'pg'
import { batches } from './batches.ts'
import { type MetCells, readMet } from './met.ts'
import type { CurrentPerson, Match, StagedRecord } from './plan.ts'

/** What a run compares: its staged records with one connector's memory, under one version of its configuration. */
export interface MatchScope {
  readonly tenantId: string
  readonly connectorId: string
  readonly runId: string
  readonly mappingVersion: number
  /** Looks at unchanged records too, because what is asked of them moves with time. */
  readonly rereads: boolean
}

/** A record that is not known to be unchanged, with whom it met. */
export interface MatchedRecord {
  readonly record: StagedRecord
  readonly cells: readonly string[]
  readonly match: Match
}

/** Somebody linked to this source and not in the file. */
export type MissingPerson = CurrentPerson & { readonly sourceKey: string; readonly active: boolean; readonly asked: boolean }

const { escapeLiteral } = pg
const person = `u.id, u.version, u.base, u.display_name, coalesce(u.employee_number, u.external_id), u.locked, u.site_id,
  case when u.overridden then (
    select jsonb_object_agg(o.field, o.value) from user_overrides o
    where o.tenant_id = u.tenant_id and o.user_id = u.id and o.field in ('startDate', 'endDate', 'locationName')
  ) end`
type PersonCells = [
  userId: string | null,
  version: number,
  base: Record<string, unknown>,
  displayName: string,
  employeeId: string,
  locked: boolean,
  siteId: string | null,
  overrides: Record<string, string | null> | null,
]

const readPerson = ([userId, version, base, displayName, employeeId, locked, siteId, overrides]: PersonCells): CurrentPerson | null =>
  userId === null ? null : { userId, version, base, displayName, employeeId, locked, dates: { siteId, overrides: overrides ?? {} } }

/**
 * A cursor takes no parameters, so the values stand in the text, as literals. A record is unchanged when its hash and the configuration version
 * equal its link's: one hash join, and it is never looked at again.
 */
const changedQuery = (scope: MatchScope): string => {
  const tenant = escapeLiteral(scope.tenantId)
  const connector = escapeLiteral(scope.connectorId)
  const run = escapeLiteral(scope.runId)
  return `
    select s.row_number, s.source_key, s.record_hash::text, s.raw, coalesce(d.records, 1), ${person},
      l.record_hash = '', l.left_scope, m.verdict, m.found_by, m.case_id, m.kind, m.reopens, m.candidates
    from staged_records s
    left join (
      select source_key, count(*)::integer as records from staged_records
      where run_id = ${run} and source_key is not null group by source_key having count(*) > 1
    ) d on d.source_key = s.source_key
    left join source_links l on l.tenant_id = ${tenant} and l.connector_id = ${connector} and l.source_key = s.source_key
    left join met m on m.row_number = s.row_number
    left join users u on u.tenant_id = ${tenant} and u.id = coalesce(l.user_id, m.user_id)
    where s.run_id = ${run} and (
      l.user_id is null or d.source_key is not null or l.record_hash <> s.record_hash
      or l.config_version <> ${scope.mappingVersion} or l.missing_since is not null
      ${scope.rereads ? 'or true' : ''}
    )
    order by s.row_number`
}

type ChangedCells = [
  rowNumber: number,
  sourceKey: string | null,
  recordHash: string,
  cells: string[],
  sameKey: number,
  ...PersonCells,
  answered: boolean | null,
  leftScope: boolean | null,
  ...MetCells,
]

const readChanged = (row: ChangedCells): MatchedRecord => {
  const [rowNumber, sourceKey, recordHash, cells, sameKey, userId, version, base, displayName, employeeId, locked, ...rest] = row
  const [siteId, overrides, answered, leftScope, ...met] = rest
  return {
    record: { rowNumber, sourceKey, recordHash, sameKey },
    cells,
    match: {
      person: readPerson([userId, version, base, displayName, employeeId, locked, siteId, overrides]),
      ...(answered && { answered }),
      ...(leftScope && { leftScope }),
      ...readMet(met),
    },
  }
}

/** The records that are not known to be unchanged, in the order of the file. The client must be in the transaction of `matchUnlinked`. */
export async function* changedRecords(client: pg.ClientBase, scope: MatchScope): AsyncGenerator<MatchedRecord[]> {
  for await (const rows of batches<ChangedCells>(client, 'changed', changedQuery(scope))) yield rows.map(readChanged)
}

/**
 * People linked to the source whom no staged record names, who were not missing before, and whom no other record was found to be, by key; `asked`: a
 * record may be theirs. The client must be in the transaction of `matchUnlinked`.
 */
export async function* missingPeople(client: pg.ClientBase, scope: MatchScope): AsyncGenerator<MissingPerson[]> {
  const text = `
    select l.source_key, u.active, coalesce(p.asked, false), ${person}
    from source_links l
    join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    left join met_people p on p.user_id = l.user_id
    where l.tenant_id = ${escapeLiteral(scope.tenantId)} and l.connector_id = ${escapeLiteral(scope.connectorId)} and l.missing_since is null
      and p.linked is not true
      and not exists (select from staged_records s where s.run_id = ${escapeLiteral(scope.runId)} and s.source_key = l.source_key)
    order by l.source_key`
  type Cells = [sourceKey: string, active: boolean, asked: boolean, ...PersonCells]
  for await (const rows of batches<Cells>(client, 'missing', text)) {
    yield rows.flatMap(([sourceKey, active, asked, ...cells]) => {
      const current = readPerson(cells)
      return current ? [{ ...current, sourceKey, active, asked }] : []
    })
  }
}
