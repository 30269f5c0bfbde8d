import * as contract from '@instep/contract/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { askedPeople } from './asked-people.ts'
import { createListLanes } from './list-lanes.ts'
import { presentUser } from './person.presenter.ts'
import { USER_COLUMNS, type UserRecord } from './person.views.ts'
import { createSearchPieces } from './search-pieces.ts'
import { LIST_COLUMNS, presentRow, type UserListRecord } from './users.presenter.ts'
import { type Continued, listPeople } from './users.views.ts'

export interface UsersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
}

/** Lists of people, with keyset pages. */
export const usersRoutes = ({ db, clock, continuation }: UsersDeps): Route[] => {
  // a token holds the count of what its caller sees, which is nobody else's to know
  const tokens = (scope: Readonly<Record<string, unknown>>) => ({
    after: (token: string | null | undefined): Continued | undefined =>
      token ? (continuation.decode(scope, token)[0] as Continued) : undefined,
    token: (next: Continued | undefined): string | null => (next ? continuation.encode(scope, [next]) : null),
  })

  const rarely = createSearchPieces({ db, clock })
  const inLane = createListLanes()

  return [
    route(contract.listUsers, async ({ tenantId, connectorId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const { after, token } = tokens({ list: 'users', tenantId, connectorId, asked, caller: actor.id })
      const continued = after(continuationToken)
      const { rows, next } = await inLane(asked, async () => {
        const filter = await askedPeople({ db, clock }, { tenantId, connectorId, sites: actor.sites }, asked)
        const query = { filter, sort: 'displayName' as const, after: continued, pageSize, columns: USER_COLUMNS }
        return listPeople<UserRecord>(db, query)
      })
      return { data: rows.map(presentUser), continuationToken: token(next) }
    }),

    route(contract.searchUsers, async ({ tenantId, connectorId, actor, body }) => {
      const { continuationToken, pageSize, sort, tenantId: named, ...asked } = body
      if (named && named !== tenantId) throw problem('NOT_FOUND')
      const { after, token } = tokens({ list: 'users.search', tenantId, connectorId, asked, sort, caller: actor.id })
      const continued = after(continuationToken)
      const { rows, next, count } = await inLane(asked, async () => {
        const rarePieces = asked.searchText || asked.filters ? await rarely() : undefined
        const filter = await askedPeople({ db, clock, rarePieces }, { tenantId, connectorId, sites: actor.sites }, asked)
        return listPeople<UserListRecord>(db, { filter, sort, after: continued, pageSize, columns: LIST_COLUMNS })
      })
      return { data: rows.map(presentRow), continuationToken: token(next), count }
    }),
  ]
}
