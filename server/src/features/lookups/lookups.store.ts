import type { LookupValue, ReferenceKind } from '@instep/contract/lookups.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { escapeLike } from '../../platform/db/escape-like.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

interface LookupRecord extends Omit<LookupValue, 'createdAt' | 'detail'> {
  readonly created_at: Date
  readonly folded: string
}

const COLUMNS = sql.raw(
  `l.id, l.reference_type as "referenceType", l.value, l.departments, l.origin, l.retired_at is not null as retired, l.created_at, l.value_folded as folded`,
)

const present = ({ created_at, folded: _, ...row }: LookupRecord): LookupValue => ({
  ...row,
  detail: null,
  createdAt: created_at.toISOString(),
})

export interface LookupQuery {
  readonly tenantId: string
  readonly kind: ReferenceKind
  readonly searchText: string | undefined
  /** Of job titles: those that this department uses, or any. */
  readonly department: string | undefined
  /** Retired ones as well. */
  readonly retired: boolean
  /** The place that the page before ended with: folded value and id. */
  readonly after: readonly [string, string] | undefined
  readonly limit: number
}

/** Values of one kind, by name, each with its place in the list. */
export const readLookups = async (db: Db, query: LookupQuery): Promise<{ value: LookupValue; place: readonly [string, string] }[]> => {
  const { tenantId, kind, searchText, department, retired, after, limit } = query
  const { rows } = await sql<LookupRecord>`
    select ${COLUMNS} from lookup_values l
    where l.tenant_id = ${tenantId} and l.reference_type = ${kind} and (l.retired_at is null or ${retired})
      and ${searchText ? sql`l.value_folded like '%' || lower(${escapeLike(searchText)}) || '%'` : sql`true`}
      and ${
        department
          ? sql`(l.departments = '{}' or exists (select from unnest(l.departments) d where lower(d) = lower(${department})))`
          : sql`true`
      }
      and ${after ? sql`(l.value_folded, l.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}
    order by l.value_folded, l.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ value: present(row), place: [row.folded, row.id] as const }))
}

const record = (
  tx: Tx,
  tenantId: string,
  { by, ...event }: Pick<NewEvent, 'type' | 'before' | 'after'> & { row: LookupRecord; by: By },
) => {
  const { row, ...rest } = event
  const data = { value: row.value, kind: row.referenceType }
  return recordEvents(tx, [{ ...by, ...rest, tenantId, stream: 'directory', subjectId: row.id, data }])
}

export interface NewLookup {
  readonly tenantId: string
  readonly kind: ReferenceKind
  readonly value: string
  readonly departments: readonly string[]
}

const assertDepartments = (kind: string, departments: readonly string[] | undefined): void => {
  if (departments && departments.length > 0 && kind !== 'JobTitle')
    throw problem('INVALID', { fields: { departments: ['departmentsOfTitles'] } })
}

/** Adds a value; one that was retired is offered again. Throws `LOOKUP_VALUE_TAKEN`, `INVALID` for departments of anything but a job title. */
export const addLookup = async (tx: Tx, { tenantId, kind, value, departments }: NewLookup, by: By): Promise<LookupValue> => {
  assertDepartments(kind, departments)
  const { rows } = await sql<LookupRecord>`
    insert into lookup_values as l (tenant_id, id, reference_type, value, departments, origin, created_at)
    values (${tenantId}, ${uuidv7(by.at.getTime())}, ${kind}, ${value}, ${departments}::text[], 'admin', ${by.at})
    on conflict (tenant_id, reference_type, value_folded) do nothing
    returning ${COLUMNS}`.execute(tx)
  const [row] = rows
  if (!row) return offerAgain(tx, { tenantId, kind, value, departments }, by)
  await record(tx, tenantId, { type: 'lookup.created', row, by, after: { departments: row.departments } })
  return present(row)
}

const offerAgain = async (tx: Tx, { tenantId, kind, value, departments }: NewLookup, by: By): Promise<LookupValue> => {
  const { rows } = await sql<{ id: string }>`
    select id from lookup_values
    where tenant_id = ${tenantId} and reference_type = ${kind} and value_folded = lower(${value}) and retired_at is not null
    for update`.execute(tx)
  const [row] = rows
  if (!row) throw problem('LOOKUP_VALUE_TAKEN')
  return changeLookup(tx, { tenantId, id: row.id, retired: false, departments: kind === 'JobTitle' ? departments : undefined }, by)
}

export interface LookupChange {
  readonly tenantId: string
  readonly id: string
  readonly retired: boolean | undefined
  readonly departments: readonly string[] | undefined
}

const typeOf = (was: LookupRecord, is: LookupRecord): string => {
  if (was.retired === is.retired) return 'lookup.updated'
  return is.retired ? 'lookup.retired' : 'lookup.offered'
}

/** Retires a value, offers it again, or says which departments use a title; what changes nothing leaves no trace. Throws `NOT_FOUND`, `INVALID`. */
export const changeLookup = async (tx: Tx, { tenantId, id, retired, departments }: LookupChange, by: By): Promise<LookupValue> => {
  const { rows } = await sql<LookupRecord>`
    select ${COLUMNS} from lookup_values l where l.tenant_id = ${tenantId} and l.id = ${id} for update`.execute(tx)
  const [was] = rows
  if (!was) throw problem('NOT_FOUND')
  assertDepartments(was.referenceType, departments)
  const wanted = { retired: retired ?? was.retired, departments: [...(departments ?? was.departments)] }
  if (wanted.retired === was.retired && JSON.stringify(wanted.departments) === JSON.stringify(was.departments)) return present(was)
  const { rows: changed } = await sql<LookupRecord>`
    update lookup_values l set departments = ${wanted.departments}::text[],
      retired_at = case when ${wanted.retired} then coalesce(l.retired_at, ${by.at}::timestamptz) end
    where l.tenant_id = ${tenantId} and l.id = ${id} returning ${COLUMNS}`.execute(tx)
  const is = changed[0] as LookupRecord
  const of = (row: LookupRecord) => ({ retired: row.retired, departments: row.departments })
  await record(tx, tenantId, { type: typeOf(was, is), row: is, by, before: of(was), after: of(is) })
  return present(is)
}
