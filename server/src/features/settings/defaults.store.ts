import type { DefaultField, DefaultValues } from '@instep/contract/settings.ts'
import { sql } from 'kysely'
import { type EventActor, type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { changedDefaults } from './defaults.rules.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** A set of defaults as the database holds it; `site_id` null is the tenant's. */
export interface DefaultsRecord {
  readonly id: string
  readonly tenant_id: string
  readonly site_id: string | null
  readonly values: DefaultValues
  readonly updated_at: Date
  readonly updated_by: EventActor
}

const COLUMNS = sql.raw('d.id, d.tenant_id, d.site_id, d.values, d.updated_at, d.updated_by')

/** The tenant's set and, where a site is named, the site's. */
export const readDefaults = async (db: Db | Tx, tenantId: string, siteId: string | null): Promise<DefaultsRecord[]> => {
  const { rows } = await sql<DefaultsRecord>`
    select ${COLUMNS} from defaults d
    where d.tenant_id = ${tenantId} and (d.site_id is null or d.site_id = ${siteId}::uuid)`.execute(db)
  return rows
}

const record = (tx: Tx, { tenantId, siteId, by }: { tenantId: string; siteId: string | null; by: By }, change: Change): Promise<void> => {
  const of = (values: DefaultValues) => Object.fromEntries(change.fields.map((field) => [field, values[field] ?? null]))
  return recordEvents(tx, [
    {
      ...by,
      tenantId,
      stream: 'directory',
      type: 'defaults.updated',
      subjectId: siteId ?? tenantId,
      data: { changed: change.fields.join(', ') },
      before: of(change.was),
      after: of(change.is),
    },
  ])
}
interface Change {
  readonly fields: readonly DefaultField[]
  readonly was: DefaultValues
  readonly is: DefaultValues
}

/** Adds a set and says so; throws `DEFAULTS_EXIST`. */
export const insertDefaults = async (
  tx: Tx,
  { tenantId, siteId, values }: { tenantId: string; siteId: string | null; values: DefaultValues },
  by: By,
): Promise<DefaultsRecord> => {
  const { rows } = await refusingDuplicate({ defaults_one_a_place: 'DEFAULTS_EXIST' }, () =>
    sql<DefaultsRecord>`
      insert into defaults as d (tenant_id, id, site_id, values, updated_at, updated_by)
      values (${tenantId}, ${uuidv7(by.at.getTime())}, ${siteId}, ${JSON.stringify(values)}, ${by.at}, ${JSON.stringify(by.actor)})
      returning ${COLUMNS}`.execute(tx),
  )
  await record(tx, { tenantId, siteId, by }, { fields: changedDefaults({}, values), was: {}, is: values })
  return rows[0] as DefaultsRecord
}

/**
 * Replaces a set and says so; what changes nothing leaves no trace. Undefined where the caller sees no such set: the tenant's is a matter of
 * tenant level.
 */
export const replaceDefaults = async (
  tx: Tx,
  { tenantId, sites, id, values }: Scope & { id: string; values: DefaultValues },
  by: By,
): Promise<DefaultsRecord | undefined> => {
  const within = sites === 'all' ? sql`true` : sql`d.site_id = any (${sites}::uuid[])`
  const { rows } = await sql<DefaultsRecord>`
    select ${COLUMNS} from defaults d where d.tenant_id = ${tenantId} and d.id = ${id} and ${within} for update`.execute(tx)
  const [row] = rows
  const fields = row ? changedDefaults(row.values, values) : []
  if (!row || fields.length === 0) return row
  const { rows: changed } = await sql<DefaultsRecord>`
    update defaults d set values = ${JSON.stringify(values)}, updated_at = ${by.at}, updated_by = ${JSON.stringify(by.actor)}
    where d.tenant_id = ${tenantId} and d.id = ${id}
    returning ${COLUMNS}`.execute(tx)
  await record(tx, { tenantId, siteId: row.site_id, by }, { fields, was: row.values, is: values })
  return changed[0]
}
