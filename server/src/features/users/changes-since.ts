import type { UserConflict } from '@instep/contract/user-edits.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { IfMatch } from '../../platform/http/etag.ts'

interface EventRecord {
  readonly at: Date
  readonly by: string
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}

/**
 * Who changed what of a person since the newest of the versions that a caller has, oldest first, by field of the form model. Events say which
 * version they made.
 */
export const changesSince = async (
  db: Db | Tx,
  { tenantId, id }: { tenantId: string; id: string },
  { versions }: IfMatch,
): Promise<UserConflict['changes']> => {
  if (versions === 'any' || versions.length === 0) return []
  const { rows } = await sql<EventRecord>`
    select e.at, coalesce(e.actor ->> 'name', '') as by, e.before, e.after
    from events e
    where e.tenant_id = ${tenantId} and e.subject_id = ${id} and e.stream = 'user' and (e.data -> 'version') > to_jsonb(${Math.max(...versions)}::bigint)
    order by (e.data ->> 'version')::bigint, e.id`.execute(db)
  return rows.flatMap(({ at, by, before, after }) =>
    Object.entries(after ?? {}).map(([field, value]) => ({
      field,
      before: before?.[field] ?? null,
      after: value ?? null,
      by,
      at: at.toISOString(),
    })),
  )
}
