import { createHash } from 'node:crypto'
import type { FieldMessage } from '@instep/contract/field-message.ts'
import { foldedName } from '@instep/contract/folded-name.ts'
import { type ClaimField, MOST_ACTIVE_CLAIM_FIELDS } from '@instep/contract/settings.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'

/** The default attributes (2-administration.md section 3): which field of the form each reads. Their words are the console's. */
const DEFAULTS = [
  { field: 'locationName', displayName: 'Location', type: 'text' },
  { field: 'division', displayName: 'Division', type: 'text' },
  { field: 'department', displayName: 'Department', type: 'text' },
  { field: 'title', displayName: 'Job title', type: 'text' },
  { field: 'startDate', displayName: 'Start date', type: 'date' },
  { field: 'employeeNumber', displayName: 'Employee ID', type: 'text' },
  { field: 'externalId', displayName: 'External ID', type: 'text' },
] as const

/** The id of a default attribute: always the same within a tenant, also before anything was stored (RFC 9562 section 5.8). */
const defaultId = (tenantId: string, field: string): string => {
  const hash = createHash('sha256').update(`${tenantId} claim field ${field}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** The tenant's security attributes in their order; the default ones are there before anybody touched them. */
export const readClaimFields = async (db: Db | Tx, tenantId: string): Promise<ClaimField[]> => {
  const { rows } = await sql<ClaimField>`
    select f.id, f.display_name as "displayName", f.description, f.type, f.enabled, f.field is not null as "isDefault", f.field
    from claim_fields f where f.tenant_id = ${tenantId} order by f.position, f.id`.execute(db)
  const missing = DEFAULTS.filter(({ field }) => !rows.some((row) => row.field === field))
  return [
    ...rows,
    ...missing.map((row) => ({ ...row, id: defaultId(tenantId, row.field), description: '', enabled: false, isDefault: true })),
  ]
}

/** An attribute as it is sent: one without an id is new. */
export type AskedClaimField = Pick<ClaimField, 'displayName' | 'description' | 'type' | 'enabled'> & { readonly id?: string | undefined }

const refuse = (path: string, message: FieldMessage) => problem('INVALID', { fields: { [path]: [message] } })

/** What the set becomes. Default ones keep their name and type. */
const settle = (was: readonly ClaimField[], asked: readonly AskedClaimField[], at: Date): ClaimField[] => {
  const settled = asked.map((field, index): ClaimField => {
    const known = was.find(({ id }) => id === field.id)
    if (field.id !== undefined && !known) throw refuse(`claimFields.${index}.id`, 'noAttribute')
    if (known?.isDefault) return { ...known, enabled: field.enabled }
    const { displayName, description, type, enabled } = field
    return { id: known?.id ?? uuidv7(at.getTime()), displayName, description, type, enabled, isDefault: false, field: null }
  })
  if (was.some(({ id, isDefault }) => isDefault && !settled.some((field) => field.id === id)))
    throw refuse('claimFields', 'defaultAttribute')
  const twice = settled.findIndex((field, index) =>
    settled.some(
      (other, before) => before < index && (other.id === field.id || foldedName(other.displayName) === foldedName(field.displayName)),
    ),
  )
  if (twice >= 0) throw refuse(`claimFields.${twice}.displayName`, 'nameTwice')
  if (settled.filter(({ enabled }) => enabled).length > MOST_ACTIVE_CLAIM_FIELDS) throw problem('TOO_MANY_ACTIVE_FIELDS')
  return settled
}

/**
 * Replaces the tenant's set of security attributes; what changes nothing leaves no trace. What people have of one that is left out stays with
 * them. Throws `INVALID` by field, `TOO_MANY_ACTIVE_FIELDS`.
 */
export const writeClaimFields = async (
  tx: Tx,
  { tenantId, claimFields }: { tenantId: string; claimFields: readonly AskedClaimField[] },
  by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>,
): Promise<ClaimField[]> => {
  // two saves at once: the second sees the set of the first
  await sql`select pg_advisory_xact_lock(hashtextextended(${`claim fields ${tenantId}`}, 0))`.execute(tx)
  const was = await readClaimFields(tx, tenantId)
  const is = settle(was, claimFields, by.at)
  const changed = [
    ...is.filter((field) => JSON.stringify(field) !== JSON.stringify(was.find(({ id }) => id === field.id))),
    ...was.filter((field) => !is.some(({ id }) => id === field.id)),
  ]
  const both = (fields: readonly ClaimField[], others: readonly ClaimField[]) =>
    fields.map(({ id }) => id).filter((id) => others.some((other) => other.id === id))
  const isReordered = both(is, was).join() !== both(was, is).join()
  if (changed.length === 0 && !isReordered) return was
  await sql`delete from claim_fields where tenant_id = ${tenantId}`.execute(tx)
  await sql`
    insert into claim_fields (tenant_id, id, position, display_name, description, type, enabled, field, created_at)
    select ${tenantId}::uuid, f.id, f.position, f."displayName", f.description, f.type, f.enabled, f.field, ${by.at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(is.map((field, position) => ({ ...field, position })))}::jsonb)
      as f (id uuid, position integer, "displayName" text, description text, type text, enabled boolean, field text)`.execute(tx)
  const of = (fields: readonly ClaimField[]) => ({
    claimFields: fields
      .filter(({ id }) => changed.some((field) => field.id === id))
      .map(({ displayName, description, type, enabled }) => ({ displayName, description, type, enabled })),
    ...(isReordered && { order: fields.map(({ displayName }) => displayName) }),
  })
  await recordEvents(tx, [
    {
      ...by,
      tenantId,
      stream: 'directory',
      type: 'claimFields.updated',
      subjectId: tenantId,
      data: { changed: [...new Set(changed.map(({ displayName }) => displayName))].join(', ') },
      before: of(was),
      after: of(is),
    },
  ])
  return is
}
