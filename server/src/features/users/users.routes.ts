import * as contract from '@instep/contract/users.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { userTargets } from '../provisioning/public.ts'
import type { PeopleFilter } from './users.filter.ts'
import { presentRow, presentUser } from './users.presenter.ts'
import type { Place, UserSort } from './users.sorts.ts'
import { findPerson, listPeople, searchPeople } from './users.views.ts'

export interface UsersDeps {
  readonly db: Db
  readonly continuation: Continuation
}

/** People: lists with keyset pages, and profiles. */
export const usersRoutes = ({ db, continuation }: UsersDeps): Route[] => {
  const pages = (filter: PeopleFilter, sort: UserSort) => {
    const { sites: _, ...asked } = filter
    const scope = { list: 'users', ...asked, sort }
    return {
      after: (token: string | null | undefined) => (token ? (continuation.decode(scope, token) as unknown as Place) : undefined),
      token: (next: Place | undefined) => (next ? continuation.encode(scope, next) : null),
    }
  }

  return [
    route(contract.listUsers, async ({ tenantId, connectorId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const filter = { tenantId, sites: actor.sites, connectorId, ...asked }
      const { after, token } = pages(filter, 'displayName')
      const { rows, next } = await listPeople(db, { filter, sort: 'displayName', after: after(continuationToken), pageSize })
      return { data: rows.map(presentUser), continuationToken: token(next) }
    }),

    route(contract.searchUsers, async ({ tenantId, connectorId, actor, body: { continuationToken, pageSize, sort, ...asked } }) => {
      const filter = { tenantId, sites: actor.sites, connectorId, ...asked }
      const { after, token } = pages(filter, sort)
      const { rows, next, count } = await searchPeople(db, { filter, sort, after: after(continuationToken), pageSize })
      return { data: rows.map(presentRow), continuationToken: token(next), count }
    }),

    route(contract.getUser, async ({ tenantId, connectorId, actor, params }) => {
      const row = await findPerson(db, { tenantId, sites: actor.sites, connectorId }, params.id)
      if (!row) throw problem('NOT_FOUND')
      const targets = await userTargets(db, { tenantId, userId: row.id })
      return { ...presentUser(row), targets, connectorName: row.connector_name, siteName: row.site_name }
    }),
  ]
}
