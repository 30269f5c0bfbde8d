import type { AccountStatus } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type PeopleFilter, peopleConditions } from './users.filter.ts'

/** A value and how many active people have it. */
export interface Share {
  readonly name: string
  readonly count: number
}

/** People of a scope: how many in each status, and the five values that most active people have in three fields. */
export interface PeopleOverview {
  readonly statuses: Record<AccountStatus, number>
  readonly departments: Share[]
  readonly titles: Share[]
  readonly locations: Share[]
}

const TOP = 5

/** One walk over the people of the scope gives every figure. */
export const peopleOverview = async (db: Db, filter: PeopleFilter): Promise<PeopleOverview> => {
  const { rows } = await sql<{ figure: string; name: string | null; count: number }>`
    with people as materialized (
      select u.active, u.claim_state, u.department, u.title, u.location_name, count(*) as count
      from users u
      where ${sql.join(peopleConditions(filter), sql` and `)}
      group by 1, 2, 3, 4, 5
    )
    select 'status' as figure, case when active then claim_state else 'inactive' end as name, sum(count)::integer as count
    from people group by 2
    union all (${top('department')})
    union all (${top('title')})
    union all (${top('location_name')})`.execute(db)
  const shares = (figure: string) => rows.filter((row) => row.figure === figure).map(({ name, count }) => ({ name: name ?? '', count }))
  const by = new Map(shares('status').map(({ name, count }) => [name, count]))
  const [claimed = 0, notClaimed = 0, notInvited = 0, inactive = 0] = ['claimed', 'invited', 'awaitingInvitation', 'inactive'].map((name) =>
    by.get(name),
  )
  const active = claimed + notClaimed + notInvited
  return {
    statuses: { all: active + inactive, active, claimed, notClaimed, notInvited, inactive },
    departments: shares('department'),
    titles: shares('title'),
    locations: shares('location_name'),
  }
}

const top = (column: string) => sql`
  select ${sql.lit(column)} as figure, ${sql.ref(column)} as name, sum(count)::integer as count
  from people
  where active and ${sql.ref(column)} is not null
  group by 2
  order by 3 desc, 2
  limit ${sql.lit(TOP)}`
