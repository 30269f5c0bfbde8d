import * as contract from '@instep/contract/lookups.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { addLookup, changeLookup, readLookups } from './lookups.store.ts'

/** Somebody who may be named as a manager. */
export interface SuggestedManager {
  readonly id: string
  readonly name: string
  readonly title: string | null
  readonly createdAt: Date
}

/** Active people whom the caller sees, by name; `next` is the place behind the page. */
export type SuggestManagers = (
  db: Db,
  asked: Scope & { connectorId: string | undefined; searchText: string | undefined; after: unknown; limit: number },
) => Promise<{ data: SuggestedManager[]; next: unknown }>

export interface LookupsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
  /** A manager is a person, not a kept value. */
  readonly suggestManagers: SuggestManagers
}

const presentManager = ({ id, name, title, createdAt }: SuggestedManager): contract.LookupValue => ({
  id,
  referenceType: 'Manager',
  value: name,
  detail: title,
  departments: [],
  origin: 'sync',
  retired: false,
  createdAt: createdAt.toISOString(),
})

/** Lists of departments, titles, locations … that forms suggest from. */
export const lookupsRoutes = ({ db, clock, continuation, suggestManagers }: LookupsDeps): Route[] => {
  const byOf = ({ actor, correlationId }: { actor: Actor; correlationId: string }) => ({
    actor: { kind: 'admin' as const, id: actor.id, name: actor.name },
    at: clock.now(),
    correlationId,
  })

  return [
    route(contract.listLookups, async ({ tenantId, connectorId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const { ReferenceType: kind, SearchText: searchText, Department: department, retired } = asked
      const scope = { list: 'lookups', tenantId, connectorId, asked, ...(kind === 'Manager' && { caller: actor.id }) }
      const after: unknown = continuationToken ? continuation.decode(scope, continuationToken)[0] : undefined
      const token = (place: unknown) => (place === undefined ? null : continuation.encode(scope, [place]))
      if (kind === 'Manager') {
        const place = { tenantId, sites: actor.sites, connectorId }
        const { data, next } = await suggestManagers(db, { ...place, searchText, after, limit: pageSize })
        return { data: data.map(presentManager), continuationToken: token(next) }
      }
      const query = { tenantId, kind, searchText, department, retired, after: after as [string, string] | undefined, limit: pageSize + 1 }
      const rows = await readLookups(db, query)
      const shown = rows.slice(0, pageSize)
      return { data: shown.map(({ value }) => value), continuationToken: token(rows.length > pageSize ? shown.at(-1)?.place : undefined) }
    }),

    route(contract.createLookup, (call) => {
      const { referenceType: kind, value, departments } = call.body
      return db.transaction().execute((tx) => addLookup(tx, { tenantId: call.tenantId, kind, value, departments }, byOf(call)))
    }),

    route(contract.updateLookup, ({ tenantId, params, body: { retired, departments }, ...call }) =>
      db.transaction().execute((tx) => changeLookup(tx, { tenantId, id: params.id, retired, departments }, byOf(call))),
    ),
  ]
}
