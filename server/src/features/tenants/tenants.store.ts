import type { Tenant } from '@instep/contract/tenants.ts'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { maintenanceEnd } from './maintenance.rules.ts'

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

/** What is kept of a tenant's maintenance; whether it is under way follows from the clock. */
interface KeptMaintenance {
  readonly enabled: boolean
  readonly message: string
}

const presentMaintenance = (row: TenantRecord, at: Date): Tenant['maintenance'] => {
  const { enabled, message } = row.maintenance as KeptMaintenance
  const end = enabled ? maintenanceEnd(at, row.time_zone) : undefined
  return { enabled, message, active: end !== undefined, endsAt: end?.toISOString() ?? null }
}

const present = (row: TenantRecord, at: Date): Tenant => ({
  id: row.id,
  name: row.name,
  status: row.status as Tenant['status'],
  features: row.features as Tenant['features'],
  defaultLocale: row.default_locale,
  timeZone: row.time_zone,
  contact: row.contact as Tenant['contact'],
  maintenance: presentMaintenance(row, at),
})

/** One tenant as it is at a moment. */
export const findTenant = async (db: Db, id: string, at: Date): Promise<Tenant | undefined> => {
  const row = await db.selectFrom('tenants').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && present(row, at)
}

/** Every tenant as it is at a moment, by name. */
export const allTenants = async (db: Db, at: Date): Promise<Tenant[]> => {
  const rows = await db.selectFrom('tenants').select(COLUMNS).orderBy('name').orderBy('id').execute()
  return rows.map((row) => present(row, at))
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
  readonly maintenance?: KeptMaintenance
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
      ...(given.maintenance && { maintenance: JSON.stringify(given.maintenance) }),
    })
    .execute()
  await recordEvents(tx, [{ ...by, tenantId: id, stream: 'directory', type: 'tenant.created', subjectId: id, data: { name: given.name } }])
  return id
}
