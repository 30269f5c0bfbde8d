import type { ParsedOf } from '@instep/contract/endpoint.ts'
import type { FieldMessage } from '@instep/contract/field-message.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { createSite as createSiteEndpoint, Site, updateSite as updateSiteEndpoint } from '@instep/contract/sites.ts'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { lockSitesForClosing } from '../../platform/db/site-locks.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { followSites } from '../provisioning/public.ts'
import { createSite, lockSite, type SiteRecord, tenantTimeZone, updateSiteRow } from './sites.store.ts'
import { closingImpact, findSite, groupsOfAdmin } from './sites.views.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** Who changes a site, and within what they see. */
export interface SiteChange extends Scope {
  readonly actor: Actor
  readonly by: By
}

/** Puts the people of one site, the locked ones excepted, elsewhere, and says so in each one's record; answers how many. */
export type MovePeople = (tx: Tx, given: { tenantId: string; from: string; to: string | null; by: By }) => Promise<number>

export interface SiteDeps {
  readonly db: Db
  readonly movePeople: MovePeople
}

type NewSite = ParsedOf<typeof createSiteEndpoint>['body']
type Update = ParsedOf<typeof updateSiteEndpoint>['body']

const refuse = (field: string, message: FieldMessage) => problem('INVALID', { fields: { [field]: [message] } })

/** Below tenant level a site belongs to a group of one's own, and is not restricted: a restricted one would be out of the administrator's own sight. */
const assertMayPlace = async (
  tx: Tx,
  { tenantId, actor }: SiteChange,
  { groupId, restricted }: { groupId: string | null | undefined; restricted: boolean | undefined },
): Promise<void> => {
  if (isTenantLevel(actor.roles)) return
  if (restricted) throw refuse('restricted', 'restrictedByTenant')
  if (groupId === undefined) return
  const own = await groupsOfAdmin(tx, tenantId, actor.id)
  if (groupId === null || !own.includes(groupId)) throw refuse('groupId', 'selectGroup')
}

const seen = async (tx: Tx, scope: Scope, id: string): Promise<Site> => {
  const site = await findSite(tx, scope, id)
  if (!site) throw problem('NOT_FOUND')
  return site
}

/** Adds a site. Throws `SITE_NAME_TAKEN`, `INVALID` by field. */
export const addSite = (db: Db, { timeZone, ...given }: NewSite, change: SiteChange): Promise<Site> =>
  db.transaction().execute(async (tx) => {
    const { tenantId } = change
    await assertMayPlace(tx, change, given)
    const zone = timeZone ?? (await tenantTimeZone(tx, tenantId))
    const id = await createSite(tx, { ...given, groupId: given.groupId ?? undefined, tenantId, timeZone: zone }, change.by)
    return seen(tx, { tenantId, sites: 'all' }, id)
  })

const COLUMNS = {
  name: 'name',
  groupId: 'group_id',
  employeeIdPrefix: 'employee_id_prefix',
  externalCode: 'external_code',
  restricted: 'restricted',
  shiftsEnabled: 'shifts_enabled',
  timeZone: 'time_zone',
  active: 'active',
} as const satisfies Partial<Record<keyof Update, keyof SiteRecord>>
type Changed = keyof typeof COLUMNS

const typeOf = (update: Update, row: SiteRecord): string => {
  if (update.active === undefined || update.active === row.active) return 'site.updated'
  return update.active ? 'site.opened' : 'site.closed'
}

/** Where the people of a closing site go; answers how many went. Throws `SITE_HAS_PEOPLE` where nobody said so. */
const emptySite = async (
  { movePeople }: SiteDeps,
  tx: Tx,
  { id, moveTo, change }: { id: string; moveTo: Update['moveTo']; change: SiteChange },
) => {
  const { tenantId, sites, by, actor } = change
  if (moveTo === undefined) {
    const { members } = await closingImpact(tx, tenantId, id)
    if (members > 0) throw problem('SITE_HAS_PEOPLE', { params: { count: members } })
    return 0
  }
  if (moveTo === 'stay') return 0
  // below tenant level nobody is put where the administrator sees nobody
  if (moveTo === 'unassigned' && !isTenantLevel(actor.roles)) throw refuse('moveTo', 'siteRequired')
  if (moveTo === 'unassigned') return movePeople(tx, { tenantId, from: id, to: null, by })
  const target = await findSite(tx, { tenantId, sites }, moveTo.siteId)
  if (!target?.active || target.id === id) throw refuse('moveTo', 'siteRequired')
  return movePeople(tx, { tenantId, from: id, to: target.id, by })
}

/**
 * Changes a site, closes or opens it; what changes nothing leaves no trace. Throws `NOT_FOUND`, `SITE_NAME_TAKEN`, `SITE_HAS_PEOPLE`, `INVALID`
 * by field.
 */
export const changeSite = (deps: SiteDeps, { id, update }: { id: string; update: Update }, change: SiteChange): Promise<Site> =>
  deps.db.transaction().execute(async (tx) => {
    const { tenantId, by } = change
    if (update.active === false) await lockSitesForClosing(tx, tenantId)
    const row = await lockSite(tx, change, id)
    if (!row) throw problem('NOT_FOUND')
    const { moveTo, ...asked } = update
    const changed = (Object.keys(COLUMNS) as Changed[]).filter(
      (field) => asked[field] !== undefined && asked[field] !== row[COLUMNS[field]],
    )
    const answer = () => seen(tx, { tenantId, sites: 'all' }, id)
    if (changed.length === 0) return answer()
    await assertMayPlace(tx, change, {
      groupId: changed.includes('groupId') ? asked.groupId : undefined,
      restricted: changed.includes('restricted') ? true : undefined,
    })
    const moved = row.active && asked.active === false ? await emptySite(deps, tx, { id, moveTo, change }) : undefined
    await updateSiteRow(tx, { tenantId, id }, Object.fromEntries(changed.map((field) => [COLUMNS[field], asked[field]])))
    if (changed.some((field) => field === 'name' || field === 'restricted' || field === 'active'))
      await followSites(tx, { tenantId, correlationId: by.correlationId, moved: changed.includes('active') })
    const of = (value: (field: Changed) => unknown) => Object.fromEntries(changed.map((field) => [field, value(field)]))
    await recordEvents(tx, [
      {
        ...by,
        tenantId,
        stream: 'directory',
        type: typeOf(update, row),
        subjectId: id,
        data: { name: asked.name ?? row.name, ...(moved !== undefined && { moved }) },
        before: of((field) => row[COLUMNS[field]]),
        after: of((field) => asked[field]),
      },
    ])
    return answer()
  })
