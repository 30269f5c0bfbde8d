import type { NewEvent } from '../../platform/audit/record-event.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

export interface NewSiteGroup {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly tenantId: string
  readonly name: string
}

/** Adds a site group and says so in the directory log. */
export const createSiteGroup = async (tx: Tx, { tenantId, name, ...given }: NewSiteGroup, by: By): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  await tx.insertInto('site_groups').values({ tenant_id: tenantId, id, name, created_at: by.at }).execute()
  await recordEvents(tx, [{ ...by, tenantId, stream: 'directory', type: 'siteGroup.created', subjectId: id, data: { name } }])
  return id
}

export interface NewSite {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly tenantId: string
  readonly name: string
  readonly groupId?: string
  readonly employeeIdPrefix?: string
  readonly timeZone?: string
  /** Its people are visible only to its own administrators and at tenant level. */
  readonly restricted?: boolean
  readonly active?: boolean
}

/** Adds a site and says so in the directory log. */
export const createSite = async (tx: Tx, given: NewSite, by: By): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  await tx
    .insertInto('sites')
    .values({
      tenant_id: given.tenantId,
      id,
      group_id: given.groupId ?? null,
      name: given.name,
      employee_id_prefix: given.employeeIdPrefix ?? '',
      restricted: given.restricted ?? false,
      active: given.active ?? true,
      created_at: by.at,
      ...(given.timeZone && { time_zone: given.timeZone }),
    })
    .execute()
  await recordEvents(tx, [
    { ...by, tenantId: given.tenantId, stream: 'directory', type: 'site.created', subjectId: id, data: { name: given.name } },
  ])
  return id
}

/** Active sites of a tenant: name as the database folds it (`lower`) → id. */
export const siteIndex = async (db: Db, tenantId: string): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'name_folded'])
    .where('tenant_id', '=', tenantId)
    .where('active', '=', true)
    .execute()
  return new Map(rows.map((row) => [row.name_folded ?? '', row.id]))
}
