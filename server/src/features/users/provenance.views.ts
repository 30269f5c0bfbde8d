import type { FieldMapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The newest event that brought a field's value. */
export interface Brought {
  readonly field: string
  readonly at: Date
  readonly by: string
  readonly run_id: string | null
}

/**
 * The newest event that changed each field of one person, by source or by hand; for a field that none changed, the one that added the person.
 * Overrides are not among them: they say themselves whose they are, and whoever takes one back says nothing of the value; but a site may follow them.
 */
export const broughtFields = async (
  db: Db,
  { tenantId, userId, linked }: { tenantId: string; userId: string; linked: boolean },
): Promise<Brought[]> => {
  const { rows } = await sql<Brought>`
    with told as (
      select e.id, e.at, e.actor ->> 'name' as by, case when e.actor ->> 'kind' = 'run' then e.actor ->> 'id' end as run_id, e.type, e.after,
        e.data ? 'overridden' or (${linked}::boolean and e.data ? 'restored') as overriding
      from events e
      where e.tenant_id = ${tenantId} and e.subject_id = ${userId} and e.stream = 'user' and e.type in (
        'user.created', 'user.updated', 'user.deactivated', 'user.reactivated', 'user.started', 'user.ended', 'user.resumed', 'user.moved'
      )
    )
    select distinct on (f.field) f.field, t.at, t.by, t.run_id
    from told t
    cross join lateral (select jsonb_object_keys(coalesce(t.after, '{}')) union all select '' where t.type = 'user.created') as f (field)
    where f.field = 'siteId' or not t.overriding
    order by f.field, t.id desc`.execute(db)
  return rows
}

/** How the source's column of each field is read, in the configuration version that the person's record was read with. */
export interface MappingInForce {
  readonly version: number
  readonly fields: Readonly<Record<string, FieldMapping>>
}

/** Undefined for somebody without a source, or whose source has no mapping. */
export const mappingOf = async (
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<MappingInForce | undefined> => {
  const { rows } = await sql<MappingInForce>`
    select v.version, v.config #> '{mapping,fields}' as fields
    from source_links l
    join connector_versions v on v.tenant_id = l.tenant_id and v.connector_id = l.connector_id and v.version = l.config_version
    where l.tenant_id = ${tenantId} and l.user_id = ${userId}`.execute(db)
  return rows[0]
}
