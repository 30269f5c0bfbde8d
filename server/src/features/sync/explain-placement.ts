import type { Explanation } from '@instep/contract/explain.ts'
import { DEFAULT_GRACE, keptUntil } from '@instep/contract/grace-period.ts'
import type { NamedRecord } from '@instep/contract/mapping-trace.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LoadedConfig } from './connector-config.store.ts'
import type { ExplainedPerson } from './explain.views.ts'
import { createMapper } from './map-record.ts'
import { placeableSites } from './placeable-sites.ts'
import { placingFor } from './placement.rules.ts'
import { resolveMapping } from './resolve-mapping.ts'

interface About {
  readonly record: NamedRecord | undefined
  readonly person: ExplainedPerson | undefined
  readonly config: LoadedConfig
  readonly today: string
}

/** Where a version of the configuration puts the person of a record, and where they work now; until when somebody deactivated is kept. */
export const explainPlacement = async (
  db: Db,
  tenantId: string,
  { record, person, config, today }: About,
): Promise<Pick<Explanation, 'placement' | 'keptUntil'>> => {
  const sites = await placeableSites(db, tenantId)
  const placing = placingFor(config.placement, sites, today)
  const siteOf = (id: unknown) => (typeof id === 'string' ? { id, name: placing.nameOf(id) } : null)
  const read = record && createMapper(resolveMapping(config.mapping, record.header))(record.cells)
  const values: Record<string, unknown> = { ...(person ? {} : read?.initial), ...person?.base, ...read?.values }
  const placed = placing.place?.(values)
  const location = typeof values['locationName'] === 'string' ? values['locationName'] : null
  const known = record !== undefined || person !== undefined
  const deactivatedAt = person?.row['deactivated_at']
  return {
    placement: known
      ? {
          rules: config.placement?.rules.length ?? 0,
          rule: placed?.rule ?? null,
          site: siteOf(placed ? placed.siteId : placing.siteNamed(location)),
          now: siteOf(person?.row['site_id']),
        }
      : null,
    keptUntil:
      keptUntil(typeof deactivatedAt === 'string' ? new Date(deactivatedAt) : null, config.grace ?? DEFAULT_GRACE)?.toISOString() ?? null,
  }
}
