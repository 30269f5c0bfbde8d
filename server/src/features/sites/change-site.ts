import type { ParsedOf } from '@instep/contract/endpoint.ts'
import type { FieldMessage } from '@instep/contract/field-message.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { createSite as createSiteEndpoint, Site, updateSite as updateSiteEndpoint } from '@instep/contract/sites.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { lockSitesForClosing } from '../../platform/db/site-locks.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { followSites } from '../provisioning/public.ts'
import { emptySite, type MovePeople, stopEmptying } from './empty-site.ts'
import { createSite, lockSite, type SiteRecord, tenantTimeZone, updateSiteRow } from './sites.store.ts'
import { countMembers, findSite, groupsOfAdmin } from './sites.views.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** Who changes a site, and within what they see. */
export interface SiteChange extends Scope {
  readonly actor: Actor
  readonly by: By
}

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

/** Where the people of a closing site go. Throws `SITE_HAS_PEOPLE` where nobody said so. */
const destination = async (
  tx: Tx,
  { id, moveTo, change }: { id: string; moveTo: Update['moveTo']; change: SiteChange },
): Promise<'stay' | { to: string | null }> => {
  const { tenantId, sites, actor } = change
  if (moveTo === undefined) {
    const members = await countMembers(tx, tenantId, id)
    if (members > 0) throw problem('SITE_HAS_PEOPLE', { params: { count: members } })
    return 'stay'
  }
  if (moveTo === 'stay') return 'stay'
  // below tenant level nobody is put where the administrator sees nobody
  if (moveTo === 'unassigned' && !isTenantLevel(actor.roles)) throw refuse('moveTo', 'siteRequired')
  if (moveTo === 'unassigned') return { to: null }
  const target = await findSite(tx, { tenantId, sites }, moveTo.siteId)
  if (!target?.active || target.id === id) throw refuse('moveTo', 'siteRequired')
  return { to: target.id }
}

/** What a change does to a site: it opens or closes, or is closed already and its people are sent elsewhere. */
const deedOf = ({ active, moveTo }: Update, row: SiteRecord): 'opened' | 'closed' | 'emptying' | 'updated' => {
  if (active === false && !row.active && moveTo !== undefined && moveTo !== 'stay') return 'emptying'
  if (active === undefined || active === row.active) return 'updated'
  return active ? 'opened' : 'closed'
}

interface Sending {
  readonly id: string
  readonly name: string
  readonly moveTo: Update['moveTo']
  readonly deed: ReturnType<typeof deedOf>
  readonly change: SiteChange
}

/** Sends the people of a site that closes, or is closed, elsewhere, now or by a run; nothing for other changes. */
const sendPeople = async ({ movePeople }: SiteDeps, tx: Tx, { id, name, moveTo, deed, change }: Sending) => {
  const { tenantId, by } = change
  if (deed === 'updated') return undefined
  const going = deed === 'opened' ? 'stay' : await destination(tx, { id, moveTo, change })
  await stopEmptying(tx, { tenantId, siteId: id, by })
  if (deed === 'opened') return undefined
  return going === 'stay' ? { moved: 0, runId: null } : emptySite(tx, movePeople, { tenantId, siteId: id, name, to: going.to, by })
}

/** The groups of sites follow; one that opens may have had none while it was closed, and gets its people. */
const tellGroups = (tx: Tx, { id, deed, change, changed }: Omit<Sending, 'name' | 'moveTo'> & { changed: readonly Changed[] }) => {
  const { tenantId, by } = change
  if (!changed.some((field) => field === 'name' || field === 'restricted' || field === 'active')) return
  const users = sql`select id as user_id from users where tenant_id = ${tenantId} and site_id = ${id}`
  return followSites(tx, { tenantId, correlationId: by.correlationId, users: deed === 'opened' ? users : undefined })
}

/**
 * Changes a site, closes or opens it; what changes nothing leaves no trace. Many people of a site that closes are moved by a run, whose id is
 * answered; the site is closed at once. Throws `NOT_FOUND`, `SITE_NAME_TAKEN`, `SITE_HAS_PEOPLE`, `INVALID` by field.
 */
export const changeSite = (
  deps: SiteDeps,
  { id, update }: { id: string; update: Update },
  change: SiteChange,
): Promise<Site & { runId: string | null }> =>
  deps.db.transaction().execute(async (tx) => {
    const { tenantId, by } = change
    // opening as well stops what moves people, and must not meet it halfway
    if (update.active !== undefined) await lockSitesForClosing(tx, tenantId)
    const row = await lockSite(tx, change, id)
    if (!row) throw problem('NOT_FOUND')
    const { moveTo, ...asked } = update
    const deed = deedOf(update, row)
    const changed = (Object.keys(COLUMNS) as Changed[]).filter(
      (field) => asked[field] !== undefined && asked[field] !== row[COLUMNS[field]],
    )
    const answer = async (runId: string | null) => ({ ...(await seen(tx, { tenantId, sites: 'all' }, id)), runId })
    if (changed.length === 0 && deed !== 'emptying') return answer(null)
    await assertMayPlace(tx, change, {
      groupId: changed.includes('groupId') ? asked.groupId : undefined,
      restricted: changed.includes('restricted') ? true : undefined,
    })
    const name = asked.name ?? row.name
    const sent = await sendPeople(deps, tx, { id, name, moveTo, deed, change })
    if (changed.length > 0)
      await updateSiteRow(tx, { tenantId, id }, Object.fromEntries(changed.map((field) => [COLUMNS[field], asked[field]])))
    await tellGroups(tx, { id, deed, change, changed })
    const of = (value: (field: Changed) => unknown) => Object.fromEntries(changed.map((field) => [field, value(field)]))
    const data = { name, ...sent }
    const told = { data, before: of((field) => row[COLUMNS[field]]), after: of((field) => asked[field]) }
    await recordEvents(tx, [{ ...by, tenantId, stream: 'directory', type: `site.${deed}`, subjectId: id, ...told }])
    return answer(sent?.runId ?? null)
  })
