import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A field of a person, by which somebody is asked for. */
export interface ChangedField {
  readonly userId: string
  readonly field: string
}

/** Who changed a field last, and when. */
export interface FieldChange {
  readonly name: string
  readonly at: Date
}

/**
 * Who changed fields of people last, by `userId field`, as the record of events tells; the changes of the given run do not count. A field whose
 * change left no event is not in the answer.
 */
export const changedSince = async (
  db: Db,
  { tenantId, runId, from }: { tenantId: string; runId: string; from: Date },
  fields: readonly ChangedField[],
): Promise<Map<string, FieldChange>> => {
  if (fields.length === 0) return new Map()
  const { rows } = await sql<FieldChange & ChangedField>`
    select distinct on (f.user_id, f.field) f.user_id as "userId", f.field, e.at, e.actor ->> 'name' as name
    from unnest(${fields.map(({ userId }) => userId)}::uuid[], ${fields.map(({ field }) => field)}::text[]) as f (user_id, field)
    join events e on e.tenant_id = ${tenantId} and e.subject_id = f.user_id
    where e.at >= ${from} and e.after ? f.field and e.data ->> 'runId' is distinct from ${runId}
    order by f.user_id, f.field, e.id desc`.execute(db)
  return new Map(rows.map(({ userId, field, name, at }) => [`${userId} ${field}`, { name, at }]))
}
