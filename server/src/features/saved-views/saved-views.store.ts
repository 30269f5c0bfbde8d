import { isDeepStrictEqual } from 'node:util'
import type { SavedView } from '@instep/contract/saved-views.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'

/** Most views that an administrator keeps in a tenant. */
const MOST_VIEWS = 50

/** Whose views: an administrator's in a tenant. */
export interface Owner {
  readonly tenantId: string
  readonly adminId: string
}

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** Views of before site groups were kept have none. */
const VIEW = sql.raw(`v.id, v.name, '{"siteGroupId": null}'::jsonb || v.state as state`)
const ownedBy = ({ tenantId, adminId }: Owner) => sql`v.tenant_id = ${tenantId} and v.admin_id = ${adminId}`
const refusingTakenName = <T>(write: () => Promise<T>) => refusingDuplicate({ saved_views_name_unique: 'VIEW_NAME_TAKEN' }, write)
type Told = Pick<NewEvent, 'type' | 'before' | 'after'> & { readonly view: SavedView }
const tell = (tx: Tx, { tenantId, by }: { tenantId: string; by: By }, { view, ...event }: Told) =>
  recordEvents(tx, [{ ...by, ...event, tenantId, stream: 'admin', subjectId: view.id, data: { name: view.name } }])

/** The administrator's views, by name. */
export const listViews = async (db: Db | Tx, owner: Owner): Promise<SavedView[]> => {
  const { rows } = await sql<SavedView>`select ${VIEW} from saved_views v where ${ownedBy(owner)} order by v.name_folded, v.id`.execute(db)
  return rows
}

/** Keeps a view; throws `VIEW_NAME_TAKEN`, `INVALID` for one too many. */
export const addView = async (tx: Tx, owner: Owner, { by, name, state }: Omit<SavedView, 'id'> & { by: By }): Promise<SavedView> => {
  // one at a time, so that two at once do not make one too many
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${owner.adminId}`}, 0))`.execute(tx)
  if ((await listViews(tx, owner)).length >= MOST_VIEWS)
    throw problem('INVALID', { fields: { name: [{ code: 'tooManyViews', params: { limit: MOST_VIEWS } }] } })
  const { rows } = await refusingTakenName(() =>
    sql<SavedView>`
      insert into saved_views as v (tenant_id, admin_id, id, name, state, created_at)
      values (${owner.tenantId}, ${owner.adminId}, ${uuidv7(by.at.getTime())}, ${name}, ${JSON.stringify(state)}, ${by.at})
      returning ${VIEW}`.execute(tx),
  )
  const view = rows[0] as SavedView
  await tell(tx, { tenantId: owner.tenantId, by }, { type: 'view.created', view })
  return view
}

interface ViewChange {
  readonly id: string
  readonly by: By
  readonly name: string | undefined
  readonly state: SavedView['state'] | undefined
}

/**
 * Renames a view or keeps something else under its name; what changes nothing leaves no trace. Throws `NOT_FOUND`, `VIEW_NAME_TAKEN`.
 */
export const changeView = async (tx: Tx, owner: Owner, { id, by, name, state }: ViewChange): Promise<SavedView> => {
  const { rows } = await sql<SavedView>`
    select ${VIEW} from saved_views v where ${ownedBy(owner)} and v.id = ${id} for update`.execute(tx)
  const [was] = rows
  if (!was) throw problem('NOT_FOUND')
  const is = { id, name: name ?? was.name, state: state ?? was.state }
  const changed = (['name', 'state'] as const).filter((member) => !isDeepStrictEqual(was[member], is[member]))
  if (changed.length === 0) return was
  await refusingTakenName(() =>
    sql`update saved_views v set name = ${is.name}, state = ${JSON.stringify(is.state)} where ${ownedBy(owner)} and v.id = ${id}`.execute(
      tx,
    ),
  )
  const of = (view: SavedView) => Object.fromEntries(changed.map((member) => [member, view[member]]))
  await tell(tx, { tenantId: owner.tenantId, by }, { type: 'view.updated', view: is, before: of(was), after: of(is) })
  return is
}

/** Forgets a view; throws `NOT_FOUND`. */
export const removeView = async (tx: Tx, owner: Owner, { id, by }: { id: string; by: By }): Promise<void> => {
  const { rows } = await sql<SavedView>`delete from saved_views v where ${ownedBy(owner)} and v.id = ${id} returning ${VIEW}`.execute(tx)
  const [view] = rows
  if (!view) throw problem('NOT_FOUND')
  await tell(tx, { tenantId: owner.tenantId, by }, { type: 'view.deleted', view })
}
