import type { Tenant } from '@instep/contract/tenants.ts'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'

const COLUMNS = ['id', 'name', 'status', 'features', 'default_locale', 'time_zone', 'contact', 'maintenance'] as const

interface TenantRecord {
  id: string
  name: string
  status: string
  features: unknown
  default_locale: string
  time_zone: string
  contact: unknown
  maintenance: unknown
}

const present = (row: TenantRecord): Tenant => ({
  id: row.id,
  name: row.name,
  status: row.status as Tenant['status'],
  features: row.features as Tenant['features'],
  defaultLocale: row.default_locale,
  timeZone: row.time_zone,
  contact: row.contact as Tenant['contact'],
  maintenance: row.maintenance as Tenant['maintenance'],
})

/** One tenant. */
export const findTenant = async (db: Db, id: string): Promise<Tenant | undefined> => {
  const row = await db.selectFrom('tenants').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && present(row)
}

/** Every tenant, by name. */
export const allTenants = async (db: Db): Promise<Tenant[]> => {
  const rows = await db.selectFrom('tenants').select(COLUMNS).orderBy('name').orderBy('id').execute()
  return rows.map(present)
}

/** Whether there is a tenant of this id. */
export const tenantExists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export interface NewTenant {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly name: string
  readonly features?: Tenant['features']
  readonly defaultLocale?: string
  readonly timeZone?: string
  readonly contact?: Tenant['contact']
}

/** Adds a tenant and says so in its directory log. */
export const createTenant = async (tx: Tx, given: NewTenant, by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>): Promise<string> => {
  const id = given.id ?? uuidv7(by.at.getTime())
  await tx
    .insertInto('tenants')
    .values({
      id,
      name: given.name,
      created_at: by.at,
      ...(given.features && { features: JSON.stringify(given.features) }),
      ...(given.defaultLocale && { default_locale: given.defaultLocale }),
      ...(given.timeZone && { time_zone: given.timeZone }),
      ...(given.contact && { contact: JSON.stringify(given.contact) }),
    })
    .execute()
  await recordEvents(tx, [{ ...by, tenantId: id, stream: 'directory', type: 'tenant.created', subjectId: id, data: { name: given.name } }])
  return id
}
