import pg from 'pg'
import type { CurrentPerson, Match, StagedRecord } from './plan.ts'

/** What a run compares: its staged records with one connector's memory, under one version of its configuration. */
export interface MatchScope {
  readonly tenantId: string
  readonly connectorId: string
  readonly runId: string
  readonly mappingVersion: number
  /** Looks at unchanged records too, because what is asked of them moves with time. */
  readonly rereads: boolean
  /** Connectors whose people reach the same targets: an external id that is taken there is not free here. */
  readonly otherConnectors: readonly string[]
}

/** A record that is not known to be unchanged, with whom it met. */
export interface MatchedRecord {
  readonly record: StagedRecord
  readonly cells: readonly string[]
  readonly match: Match
}

/** Somebody linked to this source and not in the file. */
export type MissingPerson = CurrentPerson & { readonly sourceKey: string; readonly active: boolean }

const BATCH = 500

/** Rows of a query in batches, through a cursor of the client's transaction, so that memory does not grow with the file. */
export async function* batches<Row extends unknown[]>(client: pg.ClientBase, name: string, text: string): AsyncGenerator<Row[]> {
  await client.query(`declare ${name} no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await client.query<Row>({ text: `fetch ${BATCH} from ${name}`, rowMode: 'array' })
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query(`close ${name}`)
}

const { escapeLiteral } = pg
const person = `u.id, u.version, u.base, u.display_name, coalesce(u.employee_number, u.external_id), u.locked`
type PersonCells = [
  userId: string | null,
  version: number,
  base: Record<string, unknown>,
  displayName: string,
  employeeId: string,
  locked: boolean,
]

const readPerson = ([userId, version, base, displayName, employeeId, locked]: PersonCells): CurrentPerson | null =>
  userId === null ? null : { userId, version, base, displayName, employeeId, locked }

/** Looks up new keys among the people of the other connectors, each by its index. */
const elsewhere = ({ tenantId, otherConnectors }: MatchScope): string =>
  otherConnectors.length === 0
    ? 'cross join (values (null::text, null::text)) other (display_name, connector)'
    : `left join lateral (
      select o.display_name, c.name as connector
      from users o join connectors c on c.tenant_id = o.tenant_id and c.id = o.connector_id
      where l.user_id is null and o.tenant_id = ${escapeLiteral(tenantId)} and o.external_id = s.source_key
        and o.connector_id = any (${escapeLiteral(`{${otherConnectors.join(',')}}`)})
      limit 1
    ) other on true`

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
      own.id, own.display_name, other.display_name, other.connector
    from staged_records s
    left join (
      select source_key, count(*)::integer as records from staged_records
      where run_id = ${run} and source_key is not null group by source_key having count(*) > 1
    ) d on d.source_key = s.source_key
    left join source_links l on l.tenant_id = ${tenant} and l.connector_id = ${connector} and l.source_key = s.source_key
    left join users u on u.tenant_id = ${tenant} and u.id = l.user_id
    left join users own on l.user_id is null and own.tenant_id = ${tenant} and own.connector_id = ${connector} and own.external_id = s.source_key
    ${elsewhere(scope)}
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
  unlinkedId: string | null,
  unlinkedName: string,
  elsewhereName: string | null,
  elsewhereConnector: string,
]

const readChanged = (row: ChangedCells): MatchedRecord => {
  const [rowNumber, sourceKey, recordHash, cells, sameKey, userId, version, base, displayName, employeeId, locked, ...met] = row
  const [unlinkedId, unlinkedName, elsewhereName, elsewhereConnector] = met
  return {
    record: { rowNumber, sourceKey, recordHash, sameKey },
    cells,
    match: {
      person: readPerson([userId, version, base, displayName, employeeId, locked]),
      unlinked: unlinkedId === null ? null : { userId: unlinkedId, displayName: unlinkedName },
      elsewhere: elsewhereName === null ? null : { displayName: elsewhereName, connector: elsewhereConnector },
    },
  }
}

/** The records that are not known to be unchanged, in the order of the file. The client must be in a transaction. */
export async function* changedRecords(client: pg.ClientBase, scope: MatchScope): AsyncGenerator<MatchedRecord[]> {
  for await (const rows of batches<ChangedCells>(client, 'changed', changedQuery(scope))) yield rows.map(readChanged)
}

/** People linked to the source whom no staged record names and who were not missing before, by key. The client must be in a transaction. */
export async function* missingPeople(client: pg.ClientBase, scope: MatchScope): AsyncGenerator<MissingPerson[]> {
  const text = `
    select l.source_key, u.active, ${person}
    from source_links l
    join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    where l.tenant_id = ${escapeLiteral(scope.tenantId)} and l.connector_id = ${escapeLiteral(scope.connectorId)} and l.missing_since is null
      and not exists (select from staged_records s where s.run_id = ${escapeLiteral(scope.runId)} and s.source_key = l.source_key)
    order by l.source_key`
  type Cells = [sourceKey: string, active: boolean, ...PersonCells]
  for await (const rows of batches<Cells>(client, 'missing', text)) {
    yield rows.flatMap(([sourceKey, active, ...cells]) => {
      const current = readPerson(cells)
      return current ? [{ ...current, sourceKey, active }] : []
    })
  }
}
