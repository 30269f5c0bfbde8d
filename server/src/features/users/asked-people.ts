import type { UserFilter } from '@instep/contract/users.ts'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { narrowSites, type Scope } from '../../platform/db/narrow-sites.ts'
import { problem } from '../../platform/http/problem.ts'
import { compileCondition, type RarePieces } from '../conditions/public.ts'
import type { PeopleFilter } from './users.filter.ts'

type Asked = Partial<z.infer<typeof UserFilter>>

/** Where a list is asked for: a tenant's, or one connector's of it, within what the caller sees. */
export interface ListPlace extends Scope {
  readonly connectorId: string | undefined
}

/** The connector of the path, else of the filter; where both name one it is the same. */
const connectorOf = ({ connectorId }: ListPlace, asked: string | null | undefined): string | undefined => {
  if (connectorId && asked && asked !== connectorId) throw problem('NOT_FOUND')
  return connectorId ?? asked ?? undefined
}

/** Today where the tenant is, `YYYY-MM-DD`. */
export const todayIn = async (db: Db, tenantId: string, at: Date): Promise<string> => {
  const { time_zone } = await db.selectFrom('tenants').select('time_zone').where('id', '=', tenantId).executeTakeFirstOrThrow()
  return new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short' }).format(at)
}

/**
 * The people that a list or an export means. Throws `NOT_FOUND` where it names a site, a group or a connector that the caller does not see or
 * that does not exist.
 */
export const askedPeople = async (
  { db, clock, rarePieces }: { db: Db; clock: Clock; rarePieces?: RarePieces | undefined },
  place: ListPlace,
  { searchText, accountStatus, isActive, filters, ...asked }: Asked,
): Promise<PeopleFilter> => {
  const { tenantId } = place
  const connectorId = connectorOf(place, asked.connectorId)
  // the path's connector was looked up with the caller's rights to it
  const named = place.connectorId ? undefined : connectorId
  return {
    tenantId,
    sites: await narrowSites(db, place, { ...asked, connectorId: named }),
    connectorId,
    searchText: searchText || undefined,
    searchPieces: searchText ? rarePieces?.(searchText) : undefined,
    accountStatus,
    isActive: isActive ?? undefined,
    condition: filters ? compileCondition(filters, { today: await todayIn(db, tenantId, clock.now()), rarePieces }) : undefined,
  }
}
