import { isSiteAdmin, isSiteGroupAdmin, isTenantLevel, type Role } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { loadTogether } from '../../platform/load-together.ts'

/** An administrator as an identity provider knows them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Sites by how they came to the administrator; a restricted site reaches nobody through its group. */
interface Reach {
  readonly roles: readonly Role[]
  readonly assigned: readonly string[]
  readonly throughGroups: readonly string[]
}

/** Which active sites' people an administrator sees (decisions.md section 6): all, the groups' and the assigned ones, the assigned ones, or none. */
export const visibleSites = ({ roles, assigned, throughGroups }: Reach): Actor['sites'] => {
  if (isTenantLevel(roles)) return 'all'
  if (isSiteGroupAdmin(roles)) return [...new Set([...throughGroups, ...assigned])]
  return isSiteAdmin(roles) ? [...assigned] : []
}

/** Over `admins as a left join tenants as t`: switched off, or the tenant is. */
const DISABLED = `(a.disabled_at is not null or (t.status = 'disabled' and not 'admin.super' = any(a.roles)))`

interface ActorRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: Role[]
  readonly permissions: number
  readonly tenant_id: string | null
  readonly assigned: string[]
  readonly through_groups: string[]
}

const ACTOR = `
  select a.id, a.name, a.email, a.roles, a.permissions, a.tenant_id,
    array(
      select s.id::text from admin_sites x join sites s on s.tenant_id = x.tenant_id and s.id = x.site_id
      where x.admin_id = a.id and x.tenant_id = a.tenant_id and s.active
    ) as assigned,
    array(
      select s.id::text from admin_site_groups g join sites s on s.tenant_id = g.tenant_id and s.group_id = g.group_id
      where g.admin_id = a.id and g.tenant_id = a.tenant_id and s.active and not s.restricted
    ) as through_groups
  from admins a left join tenants t on t.id = a.tenant_id
  where a.issuer = $1 and a.subject = $2 and not ${DISABLED}`

/**
 * The administrator behind an identity, read at every request so that one who is disabled is out at once. Undefined for an unknown or disabled
 * one, and for one whose tenant is disabled.
 */
export const loadActor = async (pool: pg.Pool, { issuer, subject }: Identity): Promise<Actor | undefined> => {
  // named, so that a connection plans it once: planning takes longer than carrying it out
  const { rows } = await pool.query<ActorRow>({ name: 'load-actor', text: ACTOR, values: [issuer, subject] })
  const [row] = rows
  if (!row) return undefined
  const { roles } = row
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    roles,
    permissions: row.permissions,
    tenantId: row.tenant_id,
    sites: visibleSites({ roles, assigned: row.assigned, throughGroups: row.through_groups }),
  }
}

/** The same for calls that one administrator makes at one time, as a page of the console does: they share a reading that began after each of them came. */
export const actorLoader = (pool: pg.Pool): ((identity: Identity) => Promise<Actor | undefined>) =>
  loadTogether(
    (identity: Identity) => loadActor(pool, identity),
    ({ issuer, subject }) => JSON.stringify([issuer, subject]),
  )

/** What the identity provider puts into its tokens: the role claim, and whether it may issue any. Undefined for an unknown identity. */
export const adminRoles = async (db: Db, { issuer, subject }: Identity): Promise<{ roles: string[]; disabled: boolean } | undefined> =>
  db
    .selectFrom('admins as a')
    .leftJoin('tenants as t', 't.id', 'a.tenant_id')
    .select(['a.roles', sql.raw<boolean>(DISABLED).as('disabled')])
    .where('a.issuer', '=', issuer)
    .where('a.subject', '=', subject)
    .executeTakeFirst()
