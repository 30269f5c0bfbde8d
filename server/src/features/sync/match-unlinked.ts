import { type MappedField, readMapped } from '@instep/contract/mapped-field.ts'
import type { LookupKeyKind, Matching } from '@instep/contract/matching.ts'
import { columnOf } from '@instep/contract/user-fields.ts'
import pg from 'pg'
import { uuidv7 } from '../../platform/ids.ts'
import { takeTurns } from '../../platform/take-turns.ts'
import { batches } from './batches.ts'
import { type Candidate, decideMatch, isFoundForSure } from './match.rules.ts'
import { MATCH_FIELDS, searches, TAKEN_STEP } from './match-keys.ts'

export interface Unlinked {
  /** In a transaction; the temporary tables live as long. */
  readonly client: pg.ClientBase
  readonly scope: {
    readonly tenantId: string
    readonly connectorId: string
    readonly runId: string
    readonly otherConnectors: readonly string[]
  }
  readonly matching: Matching
  readonly columns: readonly MappedField[]
  /** Whether a record of somebody new would be left out. */
  readonly isLeftOut: (cells: readonly string[]) => boolean
  readonly signal: AbortSignal
}

const { escapeLiteral } = pg
const COLUMNS = MATCH_FIELDS.map(columnOf)

const TABLES = `
  create temporary table unlinked (row_number integer, source_key text collate "C", create_new boolean, ${COLUMNS.map(
    (column) => `${column} ${column === 'date_of_birth' ? 'date' : 'text'}`,
  ).join(', ')}) on commit drop;
  create temporary table found (row_number integer, step integer, found_by text, user_id uuid) on commit drop;
  create temporary table met (row_number integer, verdict text, found_by text, user_id uuid, case_id uuid, kind text, reopens boolean, candidates jsonb)
    on commit drop;
  create temporary table met_people (user_id uuid primary key, linked boolean, asked boolean) on commit drop;`

type UnlinkedCells = [rowNumber: number, sourceKey: string, cells: string[], decision: 'link' | 'create' | 'ignore' | null]

/** Records with a key and no link, and what was answered about them. An answer that linked somebody who is gone since is none any more. */
const unlinkedQuery = ({ tenantId, connectorId, runId }: Unlinked['scope']): string => {
  const [tenant, connector, run] = [tenantId, connectorId, runId].map(escapeLiteral)
  return `
    select s.row_number, s.source_key, s.raw, c.decision
    from staged_records s
    left join source_links l on l.tenant_id = ${tenant} and l.connector_id = ${connector} and l.source_key = s.source_key
    left join match_cases c on c.tenant_id = ${tenant} and c.connector_id = ${connector} and c.source_key = s.source_key and c.state = 'answered'
    where s.run_id = ${run} and s.source_key is not null and l.user_id is null
    order by s.row_number`
}

/** What of a record the keys and likenesses read; what cannot be read finds nobody. */
const particularsReader = (columns: readonly MappedField[]): ((cells: readonly string[]) => (string | null)[]) => {
  const readers = MATCH_FIELDS.map((field) => columns.find((column) => column.field === field))
  return (cells) =>
    readers.map((reader) => {
      const read = reader && readMapped(cells, reader)
      return !read || 'wrong' in read ? null : read.value
    })
}

/** Whether there is anybody to be found, or an answer to go by: a first load of a new tenant need not be read twice. */
const isWorthwhile = async ({ client, scope }: Unlinked): Promise<boolean> => {
  const { rows } = await client.query<{ worthwhile: boolean }>(
    `select exists (select from users where tenant_id = $1)
      or exists (select from match_cases where tenant_id = $1 and connector_id = $2 and state = 'answered') as worthwhile`,
    [scope.tenantId, scope.connectorId],
  )
  return rows[0]?.worthwhile ?? false
}

/** Answers how many records are linked to nobody, and how many of them somebody is looked up for. */
const gatherUnlinked = async (given: Unlinked): Promise<{ unlinked: number; gathered: number }> => {
  const { client, scope, columns, isLeftOut, signal } = given
  const read = particularsReader(columns)
  const places = COLUMNS.map((column, place) => `$${place + 4}::${column === 'date_of_birth' ? 'date' : 'text'}[]`).join(', ')
  let unlinked = 0
  let gathered = 0
  const turn = takeTurns()
  for await (const rows of batches<UnlinkedCells>(client, 'unlinked_records', unlinkedQuery(scope))) {
    signal.throwIfAborted()
    unlinked += rows.length
    const ignored = rows.filter(([, , , decision]) => decision === 'ignore').map(([rowNumber]) => rowNumber)
    if (ignored.length > 0) await client.query(`insert into met (row_number, verdict) select unnest($1::integer[]), 'ignore'`, [ignored])
    const asked: UnlinkedCells[] = []
    const values: ReturnType<typeof read>[] = []
    for (const row of rows) {
      const pause = turn()
      if (pause) await pause
      const [, , cells, decision] = row
      if (decision === 'ignore' || isLeftOut(cells)) continue
      asked.push(row)
      values.push(read(cells))
    }
    if (asked.length === 0) continue
    gathered += asked.length
    await client.query(`insert into unlinked select * from unnest($1::integer[], $2::text[], $3::boolean[], ${places})`, [
      asked.map(([rowNumber]) => rowNumber),
      asked.map(([, key]) => key),
      asked.map(([, , , decision]) => decision === 'create'),
      ...COLUMNS.map((_, place) => values.map((of) => of[place] ?? null)),
    ])
  }
  return { unlinked, gathered }
}

type FoundCells = [
  rowNumber: number,
  birthDate: string | null,
  employmentType: string | null,
  candidates: Candidate[],
  caseId: string | null,
  answered: boolean,
]

/** Everybody found for a record, with what there is to say about them; records in the order of the file. */
const foundQuery = ({ tenantId, connectorId, runId }: Unlinked['scope']): string => {
  const [tenant, connector, run] = [tenantId, connectorId, runId].map(escapeLiteral)
  return `
    select m.row_number, m.date_of_birth::text, m.employment_type,
      jsonb_agg(jsonb_build_object(
        'userId', u.id, 'foundBy', f.found_by, 'displayName', u.display_name, 'connectorName', c.name,
        'place', case when u.connector_id <> ${connector} then 'elsewhere' when l.user_id is null then 'unlinked' else 'linked' end,
        'present', p.source_key is not null, 'claims', coalesce(k.records, 0), 'active', u.active,
        'birthDate', u.date_of_birth, 'employmentType', u.employment_type
      ) order by u.active desc, u.id),
      o.id, coalesce(o.state = 'answered', false)
    from (
      select row_number, user_id, jsonb_agg(found_by order by step) as found_by from (
        select row_number, user_id, found_by, min(step) as step from found group by row_number, user_id, found_by
      ) once group by row_number, user_id
    ) f
    join unlinked m on m.row_number = f.row_number
    join users u on u.tenant_id = ${tenant} and u.id = f.user_id
    join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id
    left join source_links l on l.tenant_id = u.tenant_id and l.user_id = u.id
    left join (select distinct source_key from staged_records where run_id = ${run}) p
      on l.connector_id = ${connector} and p.source_key = l.source_key
    left join (select user_id, count(distinct row_number)::integer as records from found where step < ${TAKEN_STEP} group by user_id) k
      on k.user_id = u.id
    left join match_cases o on o.tenant_id = ${tenant} and o.connector_id = ${connector} and o.source_key = m.source_key and o.state <> 'closed'
    group by m.row_number, m.date_of_birth, m.employment_type, o.id, o.state
    order by m.row_number`
}

interface Met {
  row_number: number
  verdict: string
  found_by: LookupKeyKind | null
  user_id: string | null
  case_id: string | null
  kind: string | null
  reopens: boolean
  candidates: readonly Candidate[]
}

const meet = ([rowNumber, birthDate, employmentType, candidates, caseId, answered]: FoundCells, matching: Matching): Met => {
  const verdict = decideMatch({ birthDate, employmentType }, candidates, matching.samePerson.act)
  const sure = candidates.filter(isFoundForSure)
  return {
    row_number: rowNumber,
    verdict: verdict.verdict,
    found_by: verdict.verdict === 'link' ? verdict.by : null,
    user_id: verdict.verdict === 'link' ? verdict.userId : null,
    case_id: verdict.verdict === 'case' ? (caseId ?? uuidv7()) : null,
    kind: verdict.verdict === 'case' ? verdict.kind : null,
    reopens: answered,
    candidates: sure.length > 0 ? sure : candidates,
  }
}

/** Answers how many records turned out to be somebody's. */
const decideAll = async ({ client, scope, matching, signal }: Unlinked): Promise<number> => {
  let linked = 0
  for await (const rows of batches<FoundCells>(client, 'found_people', foundQuery(scope))) {
    signal.throwIfAborted()
    const met = rows.map((row) => meet(row, matching)).filter(({ verdict }) => verdict !== 'new')
    linked += met.filter(({ verdict }) => verdict === 'link').length
    await client.query('insert into met select * from jsonb_populate_recordset(null::met, $1::jsonb)', [JSON.stringify(met)])
  }
  await client.query(`
    insert into met_people
    select (c ->> 'userId')::uuid, bool_or(m.verdict = 'link'), bool_or(m.verdict = 'case')
    from met m cross join lateral jsonb_array_elements(m.candidates) c group by 1`)
  return linked
}

/**
 * Finds, for all records at once that are linked to nobody, whom they may be, and decides about each. Leaves the temporary tables `met` (by row:
 * linked, asked about, noted or ignored) and `met_people` (who was met), empty where there is nothing to say. Answers how many records
 * there were and how many of them are linked now; undefined where there is nobody to be found.
 */
export const matchUnlinked = async (given: Unlinked): Promise<{ unlinked: number; linked: number } | undefined> => {
  const { client, scope, matching, signal } = given
  await client.query(TABLES)
  if (!(await isWorthwhile(given))) return undefined
  const { unlinked, gathered } = await gatherUnlinked(given)
  if (gathered === 0) return { unlinked, linked: 0 }
  await client.query('analyze unlinked')
  for (const search of searches(scope, matching)) {
    signal.throwIfAborted()
    await client.query(search)
    await client.query('analyze found')
  }
  const linked = await decideAll(given)
  await client.query('analyze met')
  return { unlinked, linked }
}

/** How many of the records that were read are somebody's, whether they were linked before or were found by a key. */
export const recognised = (
  { records, unreadableKeys }: { records: number; unreadableKeys: number },
  met: Awaited<ReturnType<typeof matchUnlinked>>,
): number => (met ? records - unreadableKeys - met.unlinked + met.linked : 0)
