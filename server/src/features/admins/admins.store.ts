import { EVERY_PERMISSION, type Role } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { NO_TENANT, uuidv7 } from '../../platform/ids.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

export interface NewAdmin {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  /** Null only for a super admin. */
  readonly tenantId: string | null
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string
  readonly roles: readonly Role[]
  /** Permission bits; all when left out. */
  readonly permissions?: number
}

/** Adds an administrator and says so in the admin stream. */
export const createAdmin = async (tx: Tx, given: NewAdmin, by: By): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  await tx
    .insertInto('admins')
    .values({
      id,
      tenant_id: given.tenantId,
      issuer: given.issuer,
      subject: given.subject,
      name: given.name,
      email: given.email,
      roles: [...given.roles],
      permissions: given.permissions ?? EVERY_PERMISSION,
      created_at: by.at,
    })
    .execute()
  const data = { name: given.name, roles: given.roles.join(', ') }
  await recordEvents(tx, [{ ...by, tenantId: given.tenantId ?? NO_TENANT, stream: 'admin', type: 'admin.created', subjectId: id, data }])
  return id
}

/** Gives an administrator a site. Giving it again changes nothing and says nothing. */
export const assignSite = async (tx: Tx, given: { tenantId: string; adminId: string; siteId: string }, by: By): Promise<void> => {
  const added = await tx
    .insertInto('admin_sites')
    .values({ tenant_id: given.tenantId, admin_id: given.adminId, site_id: given.siteId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('site_id')
    .executeTakeFirst()
  if (!added) return
  const data = { siteId: given.siteId }
  await recordEvents(tx, [
    { ...by, tenantId: given.tenantId, stream: 'admin', type: 'admin.site.assigned', subjectId: given.adminId, data },
  ])
}

/** Gives an administrator a site group. Giving it again changes nothing and says nothing. */
export const assignSiteGroup = async (tx: Tx, given: { tenantId: string; adminId: string; groupId: string }, by: By): Promise<void> => {
  const added = await tx
    .insertInto('admin_site_groups')
    .values({ tenant_id: given.tenantId, admin_id: given.adminId, group_id: given.groupId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('group_id')
    .executeTakeFirst()
  if (!added) return
  const data = { groupId: given.groupId }
  await recordEvents(tx, [
    { ...by, tenantId: given.tenantId, stream: 'admin', type: 'admin.siteGroup.assigned', subjectId: given.adminId, data },
  ])
}

/**
 * Lets the administrators of the embedded provider follow its issuer, which is the address of the console: the same people sign in at the new
 * one. Administrators of other providers stay as they are.
 */
export const followIssuer = async (db: Db, issuer: string): Promise<void> => {
  await sql`update admins a set issuer = ${issuer} from identity_accounts i where i.id::text = a.subject and a.issuer <> ${issuer}`.execute(
    db,
  )
}
