import type { ConfigFile } from '@instep/contract/config-versions.ts'
import type { ConnectorConfig } from '@instep/contract/connector-config.ts'
import type { FieldMessage } from '@instep/contract/field-message.ts'
import { foldedName } from '@instep/contract/folded-name.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

type Names = ConfigFile['names']
type Named = Names[string]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Calls `visit` for every text of a value, names of members among them, and gives back the value with what it answers. */
const mapTexts = (value: unknown, visit: (text: string, path: string) => string, path: string): unknown => {
  if (typeof value === 'string') return visit(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, visit, `${path}.${index}`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [visit(name, `${path}.${name}`), mapTexts(inner, visit, `${path}.${name}`)]),
  )
}

/** The same over a configuration. A mapping names nothing by id, and its texts are its own. */
const mapIds = (config: Readonly<Record<string, unknown>>, visit: (id: string, path: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([part, value]) => [
      part,
      part === 'mapping'
        ? value
        : mapTexts(value, (text, path) => (UUID.test(text) ? visit(text.toLowerCase(), path) : text), `config.${part}`),
    ]),
  )

const idsIn = (config: Readonly<Record<string, unknown>>): string[] => {
  const ids = new Set<string>()
  mapIds(config, (id) => {
    ids.add(id)
    return id
  })
  return [...ids]
}

/** What the ids of a configuration stand for in the tenant, as far as it has them. */
export const namesOf = async (db: Db | Tx, tenantId: string, config: Omit<ConnectorConfig, 'mappingVersion'>): Promise<Names> => {
  const ids = idsIn(config)
  if (ids.length === 0) return {}
  const { rows } = await sql<Named & { id: string }>`
    select 'site' as kind, id, name from sites where tenant_id = ${tenantId} and id = any (${ids}::uuid[])
    union all select 'siteGroup', id, name from site_groups where tenant_id = ${tenantId} and id = any (${ids}::uuid[])
    union all select 'connector', id, name from connectors where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`.execute(db)
  return Object.fromEntries(rows.map(({ id, kind, name }) => [id, { kind, name }]))
}

const idsByName = async (db: Db | Tx, tenantId: string, names: readonly Named[]): Promise<(named: Named) => string | undefined> => {
  const wanted = names.map(({ name }) => foldedName(name))
  const { rows } = await sql<Named & { id: string }>`
    select 'site' as kind, id, name from sites where tenant_id = ${tenantId} and active and name_folded = any (${wanted})
    union all select 'siteGroup', id, name from site_groups where tenant_id = ${tenantId} and name_folded = any (${wanted})
    union all select 'connector', id, name from connectors where tenant_id = ${tenantId} and name_folded = any (${wanted})`.execute(db)
  const found = new Map(rows.map((row) => [`${row.kind} ${foldedName(row.name)}`, row.id]))
  return (named) => found.get(`${named.kind} ${foldedName(named.name)}`)
}

/**
 * The file's configuration with the ids that its names have in the tenant. `wrong` says by path what is not known here: a name that nothing has, an
 * id that no name stands beside and nothing here has.
 */
export const resolveNames = async (
  db: Db | Tx,
  tenantId: string,
  { config, names }: ConfigFile,
): Promise<{ config: Record<string, unknown>; wrong: Record<string, FieldMessage[]> }> => {
  const own = await namesOf(db, tenantId, config)
  const found = await idsByName(db, tenantId, Object.values(names))
  const wrong: Record<string, FieldMessage[]> = {}
  const resolved = mapIds(config, (id, path) => {
    const named = names[id]
    const here = named ? found(named) : own[id] && id
    if (here) return here
    wrong[path] = [named ? { code: 'configNameUnknown', params: { name: named.name } } : 'configPartUnknown']
    return id
  })
  return { config: resolved, wrong }
}
