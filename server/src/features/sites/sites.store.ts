import type { NewEvent } from '../../platform/audit/record-event.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { followSites } from '../provisioning/public.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

export interface NewSiteGroup {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly tenantId: string
  readonly name: string
}

/** Adds a site group and says so in the directory log; throws `SITE_GROUP_NAME_TAKEN`. */
export const createSiteGroup = async (tx: Tx, { tenantId, name, ...given }: NewSiteGroup, by: By): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  await refusingDuplicate({ site_groups_name_unique: 'SITE_GROUP_NAME_TAKEN' }, () =>
    tx.insertInto('site_groups').values({ tenant_id: tenantId, id, name, created_at: by.at }).execute(),
  )
  await recordEvents(tx, [
    { ...by, tenantId, stream: 'directory', type: 'siteGroup.created', subjectId: id, data: { name }, after: { name } },
  ])
  return id
}

export interface NewSite {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly tenantId: string
  readonly name: string
  readonly groupId?: string | undefined
  readonly employeeIdPrefix?: string
  /** What HR calls it. */
  readonly externalCode?: string | null | undefined
  readonly timeZone?: string
  /** Its people are visible only to its own administrators and at tenant level. */
  readonly restricted?: boolean
  readonly shiftsEnabled?: boolean
  readonly active?: boolean
}

/** Adds a site and says so in the directory log; throws `SITE_NAME_TAKEN`, and `INVALID` for a group that there is none of. */
export const createSite = async (tx: Tx, given: NewSite, by: By): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  const row = {
    tenant_id: given.tenantId,
    id,
    group_id: given.groupId ?? null,
    name: given.name,
    employee_id_prefix: given.employeeIdPrefix ?? '',
    external_code: given.externalCode ?? null,
    restricted: given.restricted ?? false,
    shifts_enabled: given.shiftsEnabled ?? false,
    active: given.active ?? true,
    created_at: by.at,
    ...(given.timeZone && { time_zone: given.timeZone }),
  }
  await refusingTakenSite(given.groupId, () => tx.insertInto('sites').values(row).execute())
  const { tenantId, name } = given
  const after = {
    name,
    groupId: row.group_id,
    employeeIdPrefix: row.employee_id_prefix,
    restricted: row.restricted,
    shiftsEnabled: row.shifts_enabled,
    active: row.active,
    ...(given.externalCode && { externalCode: given.externalCode }),
    ...(given.timeZone && { timeZone: given.timeZone }),
  }
  await recordEvents(tx, [{ ...by, tenantId, stream: 'directory', type: 'site.created', subjectId: id, data: { name }, after }])
  await followSites(tx, { tenantId, correlationId: by.correlationId })
  return id
}

const refusingTakenSite = <T>(groupId: string | null | undefined, write: () => Promise<T>): Promise<T> =>
  refusingDuplicate(
    {
      sites_name_unique: 'SITE_NAME_TAKEN',
      ...(groupId && { sites_tenant_id_group_id_fkey: problem('INVALID', { fields: { groupId: ['selectGroup'] } }) }),
    },
    write,
  )

/** A site as the database holds it. */
export interface SiteRecord {
  readonly name: string
  readonly group_id: string | null
  readonly employee_id_prefix: string
  readonly external_code: string | null
  readonly restricted: boolean
  readonly shifts_enabled: boolean
  readonly time_zone: string
  readonly active: boolean
}

const SITE_COLUMNS = [
  'name',
  'group_id',
  'employee_id_prefix',
  'external_code',
  'restricted',
  'shifts_enabled',
  'time_zone',
  'active',
] as const

/** One site within the scope, locked against other changes until the transaction ends; people may be put there meanwhile. */
export const lockSite = (tx: Tx, { tenantId, sites }: Scope, id: string): Promise<SiteRecord | undefined> =>
  tx
    .selectFrom('sites')
    .select(SITE_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where(withinSites('id', sites))
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Changes a site; throws as `createSite`. */
export const updateSiteRow = async (
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  set: Partial<SiteRecord>,
): Promise<void> => {
  await refusingTakenSite(set.group_id, () =>
    tx.updateTable('sites').set(set).where('tenant_id', '=', tenantId).where('id', '=', id).execute(),
  )
}

/** Renames a site group and says so; what changes nothing leaves no trace. False where there is no such group; throws `SITE_GROUP_NAME_TAKEN`. */
export const renameSiteGroup = async (
  tx: Tx,
  { tenantId, id, name }: { tenantId: string; id: string; name: string },
  by: By,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('site_groups')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return false
  if (row.name === name) return true
  await refusingDuplicate({ site_groups_name_unique: 'SITE_GROUP_NAME_TAKEN' }, () =>
    tx.updateTable('site_groups').set({ name }).where('tenant_id', '=', tenantId).where('id', '=', id).execute(),
  )
  await recordEvents(tx, [
    {
      ...by,
      tenantId,
      stream: 'directory',
      type: 'siteGroup.updated',
      subjectId: id,
      data: { name },
      before: { name: row.name },
      after: { name },
    },
  ])
  return true
}

/** The tenant's own time zone. */
export const tenantTimeZone = async (tx: Tx, tenantId: string): Promise<string> =>
  (await tx.selectFrom('tenants').select('time_zone').where('id', '=', tenantId).executeTakeFirstOrThrow()).time_zone
