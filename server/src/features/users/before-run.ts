import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { siteOf } from './document-columns.ts'

interface OfRun {
  readonly tenantId: string
  readonly runId: string
  /** A relation with the columns `user_id uuid, patch jsonb`. */
  readonly rows: RawBuilder<unknown>
}

const locationSite = (tenantId: string) => sql`cross join lateral (select u.location_name as "locationName") x ${siteOf(tenantId)}`

/**
 * Remembers where people work, before a run puts them elsewhere by its rules, and where they work that their location does not name, before a run gives
 * them another location and with it another site.
 */
export const keepSites = async (tx: Tx, { tenantId, runId, rows }: OfRun): Promise<void> => {
  await sql`
    insert into sites_before_runs (tenant_id, run_id, user_id, site_id)
    select u.tenant_id, ${runId}, u.id, u.site_id
    from (${rows}) p join users u on u.tenant_id = ${tenantId} and u.id = p.user_id
    ${locationSite(tenantId)}
    where p.patch ? 'placement' or p.patch ? 'locationName' and u.site_id is distinct from s.id`.execute(tx)
}

/**
 * Where somebody worked before a run moved them, one row where their placement or location is given back and nobody has moved them since. For a lateral join
 * beside the person `u` and the row `p`; looked up by its key for each, because nothing is known yet of how many there are.
 */
export const siteBefore = ({ tenantId, runId }: Pick<OfRun, 'tenantId' | 'runId'>): RawBuilder<unknown> => sql`
  select true as given, b.site_id
  from sites_before_runs b ${locationSite(tenantId)}
  where b.tenant_id = ${tenantId} and b.run_id = ${runId} and b.user_id = u.id
    and case when p.patch ? 'placement' then u.site_id::text is not distinct from nullif(u.base ->> 'placement', 'none')
      else p.patch ? 'locationName' and u.site_id is not distinct from s.id end
    and (b.site_id is null or exists (select from sites k where k.tenant_id = b.tenant_id and k.id = b.site_id and k.active))
    and (p.patch ? 'placement' or not exists (
      select from user_overrides o where o.tenant_id = b.tenant_id and o.user_id = b.user_id and o.field = 'locationName'
    ))`

/** Gives back the overrides that dropped out when the run made the source say the same, for the fields that are given back now. */
export const returnOverrides = async (tx: Tx, { tenantId, runId, rows, at }: OfRun & { readonly at: Date }): Promise<void> => {
  await sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at, reason, until)
    select c.tenant_id, c.user_id, c.field, c.value, c.by, c.at, c.reason, c.until
    from caught_up_overrides c join (${rows}) p on p.user_id = c.user_id
    where c.tenant_id = ${tenantId} and c.run_id = ${runId} and (c.until is null or c.until > ${at})
      and (p.patch ? c.field or p.patch ? replace(c.field, 'ReferenceType', ''))
    on conflict (tenant_id, user_id, field) do nothing`.execute(tx)
}
