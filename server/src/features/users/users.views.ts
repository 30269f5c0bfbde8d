import type { Count } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import { countRows } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { type PeopleFilter, peopleConditions } from './users.filter.ts'
import { orderOf, type Place, type UserSort } from './users.sorts.ts'

/** A row of a people list as the database gives it. */
export interface UserListRecord {
  id: string
  connector_id: string
  display_name: string
  external_id: string
  employee_number: string | null
  title: string | null
  department: string | null
  location_name: string | null
  active: boolean
  claim_state: string
  deactivated_at: Date | null
  access_code_delivery: string
  start_date: string | null
  locked: boolean
  vip: boolean
  overridden: boolean
}

/** A whole person as the database gives it; dates are `YYYY-MM-DD`. */
export interface UserRecord extends UserListRecord {
  tenant_id: string
  site_id: string | null
  ingestion_type: string
  external_reference_id: string | null
  user_name: string | null
  given_name: string
  family_name: string
  work_email: string | null
  personal_email: string | null
  work_phone: string | null
  personal_phone: string | null
  preferred_language: string | null
  locale: string | null
  timezone: string | null
  user_type: string | null
  division: string | null
  organization: string | null
  cost_center: string | null
  locality: string | null
  country: string | null
  manager: string | null
  approver: string | null
  leader: string | null
  end_date: string | null
  gender: string | null
  employment_type: string | null
  date_of_birth: string | null
  custom_field_1: string | null
  custom_field_2: string | null
  external_partner_company: string | null
  external_id_prefix: string | null
  claim_fields: unknown
  invited_at: Date | null
  claimed_at: Date | null
  version: number
  /** Form field → value; null when nothing is overridden. */
  overrides: Record<string, unknown> | null
}

const LIST_COLUMNS = sql.raw(
  `u.id, u.connector_id, u.display_name, u.external_id, u.employee_number, u.title, u.department, u.location_name, u.active, u.claim_state,
  u.deactivated_at, u.access_code_delivery, u.start_date, u.locked, u.vip, u.overridden`,
)

const ALL_COLUMNS = sql`${LIST_COLUMNS}, u.tenant_id, u.site_id, u.external_reference_id, u.user_name, u.given_name, u.family_name,
  u.work_email, u.personal_email, u.work_phone, u.personal_phone, u.preferred_language, u.locale, u.timezone, u.user_type, u.division,
  u.organization, u.cost_center, u.locality, u.country, u.manager, u.approver, u.leader, u.end_date, u.gender, u.employment_type,
  u.date_of_birth, u.custom_field_1, u.custom_field_2, u.external_partner_company, u.external_id_prefix, u.claim_fields, u.invited_at,
  u.claimed_at, u.version,
  (select c.ingestion_type from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id) as ingestion_type,
  case when u.overridden then (
    select jsonb_object_agg(o.field, o.value) from user_overrides o where o.tenant_id = u.tenant_id and o.user_id = u.id
  ) end as overrides`

export interface PeopleQuery {
  readonly filter: PeopleFilter
  readonly sort: UserSort
  /** The place that the page before ended with. */
  readonly after: Place | undefined
  readonly pageSize: number
}

export interface PeoplePage<Row> {
  readonly rows: Row[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: Place | undefined
}

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `)

const page = async <Row extends { id: string }>(db: Db, { filter, sort, after, pageSize }: PeopleQuery, columns: RawBuilder<unknown>) => {
  const order = orderOf(sort)
  const conditions = [...peopleConditions(filter), ...(after ? [order.behind(after)] : [])]
  const found = await sql<Row & { place: string }>`
    select ${columns}, ${order.place} as place
    from users u
    where ${all(conditions)}
    order by ${order.orderBy}
    limit ${pageSize + 1}`.execute(db)
  const rows = found.rows.slice(0, pageSize)
  const last = found.rows.length > pageSize ? rows.at(-1) : undefined
  return { rows, next: last && ([last.place, last.id] as const) }
}

/** How many people a filter admits. */
export const countPeople = (db: Db, filter: PeopleFilter): Promise<Count> =>
  countRows(db, sql`select 1 from users u where ${all(peopleConditions(filter))}`)

/** A page of list rows, and how many people the whole list holds. */
export const searchPeople = async (db: Db, query: PeopleQuery): Promise<PeoplePage<UserListRecord> & { count: Count }> => {
  const [found, count] = await Promise.all([page<UserListRecord>(db, query, LIST_COLUMNS), countPeople(db, query.filter)])
  return { ...found, count }
}

/** A page of whole people. */
export const listPeople = (db: Db, query: PeopleQuery): Promise<PeoplePage<UserRecord>> => page<UserRecord>(db, query, ALL_COLUMNS)

/** One person with the names of their connector and site; undefined when the filter does not admit them. */
export const findPerson = async (db: Db, filter: PeopleFilter, id: string) => {
  const { rows } = await sql<UserRecord & { connector_name: string; site_name: string | null }>`
    select ${ALL_COLUMNS},
      (select c.name from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id) as connector_name,
      (select s.name from sites s where s.tenant_id = u.tenant_id and s.id = u.site_id) as site_name
    from users u
    where ${all([...peopleConditions(filter), sql<boolean>`u.id = ${id}`])}`.execute(db)
  return rows[0]
}
