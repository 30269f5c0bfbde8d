import * as contract from '@instep/contract/dashboard.ts'
import type { Count } from '@instep/contract/page.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { AccountStatus } from '@instep/contract/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { narrowSites } from '../../platform/db/narrow-sites.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { listDateHolds, listRuns, presentDateHold, sourcesInTrouble } from '../sync/public.ts'
import { peopleOverview } from '../users/public.ts'

const LAST_RUNS = 5
const MOST_HELD = 50

const counted = (statuses: Record<AccountStatus, number>): contract.Overview['people'] => {
  const exactly = (value: number): Count => ({ value, exact: true })
  return {
    all: exactly(statuses.all),
    active: exactly(statuses.active),
    claimed: exactly(statuses.claimed),
    notClaimed: exactly(statuses.notClaimed),
    notInvited: exactly(statuses.notInvited),
    inactive: exactly(statuses.inactive),
  }
}

/** The first dashboard. */
export const dashboardRoutes = ({ db, clock }: { db: Db; clock: Clock }): Route[] => [
  route(contract.getOverview, async ({ tenantId, actor, query: { siteId } }) => {
    // runs are tenant matters
    const tenantLevel = isTenantLevel(actor.roles)
    const [{ statuses, ...tops }, lastRuns, held, dates, sources] = await Promise.all([
      peopleOverview(db, { tenantId, sites: await narrowSites(db, { tenantId, sites: actor.sites }, { siteId }) }),
      tenantLevel ? listRuns(db, { tenantId, overAll: true, limit: LAST_RUNS }) : null,
      tenantLevel ? listRuns(db, { tenantId, states: ['held'], limit: MOST_HELD }) : null,
      tenantLevel ? listDateHolds(db, { tenantId }) : null,
      tenantLevel ? sourcesInTrouble(db, { tenantId, now: clock.now() }) : null,
    ])
    return { people: counted(statuses), ...tops, lastRuns, heldRuns: held, heldDates: dates?.map(presentDateHold) ?? null, sources }
  }),
]
