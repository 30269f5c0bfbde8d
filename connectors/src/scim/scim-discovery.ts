import { readAttributePath } from '@instep/contract/attribute-rules.ts'
import type { OfferedAttribute, ScimDiscovery } from '@instep/contract/conformance.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { Call } from '../kit/target.ts'
import { isMembers, type Members } from './attribute-path.ts'
import type { ScimClient } from './scim-client.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'
const MOST_ATTRIBUTES = 500
/** What the product sets by itself, or a target never lets others set. */
const HIDDEN: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas', 'active', 'password'])

/** Answers that mean that the target does not serve this, not that it cannot be reached. */
const ABSENT: ReadonlySet<string> = new Set(['TARGET_UNEXPECTED', 'TARGET_REFUSED', 'TARGET_GONE', 'TARGET_FORBIDDEN'])

const ask = async (client: ScimClient, endpoint: string, call: Call): Promise<Members | undefined> => {
  try {
    return (await client.request({ method: 'GET', endpoint, signal: call.signal })).body
  } catch (error) {
    if (error instanceof ConnectorError && ABSENT.has(error.code)) return undefined
    throw error
  }
}

const listed = (body: Members | undefined): Members[] => {
  const resources = body?.['Resources']
  return (Array.isArray(resources) ? resources : []).filter(isMembers)
}

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const supported = (config: Members | undefined, feature: string): boolean | null => {
  const value = config?.[feature]
  return isMembers(value) && typeof value['supported'] === 'boolean' ? value['supported'] : null
}

const maxResults = (config: Members | undefined): number | null => {
  const filter = config?.['filter']
  const most = isMembers(filter) ? filter['maxResults'] : undefined
  return typeof most === 'number' && Number.isInteger(most) && most > 0 ? most : null
}

/** The kinds of entry that a list has, or the usual one. */
const kindsOf = (attribute: Members): string[] => {
  const type = listOf(attribute['subAttributes']).find((sub) => sub['name'] === 'type')
  const values = type?.['canonicalValues']
  const kinds = (Array.isArray(values) ? values : []).filter((value): value is string => typeof value === 'string')
  return kinds.length > 0 ? kinds : ['work']
}

const pathsOf = (attribute: Members, prefix: string): string[] => {
  const name = `${prefix}${text(attribute['name'])}`
  if (attribute['type'] !== 'complex') return attribute['multiValued'] === true ? [] : [name]
  const subs = listOf(attribute['subAttributes']).filter((sub) => sub['mutability'] !== 'readOnly' && sub['type'] !== 'complex')
  const places = attribute['multiValued'] === true ? kindsOf(attribute).map((kind) => `${name}[type eq ${JSON.stringify(kind)}]`) : [name]
  return places.flatMap((place) => subs.map((sub) => `${place}.${text(sub['name'])}`))
}

const attributesOf = (schema: Members): OfferedAttribute[] => {
  const id = text(schema['id'])
  const prefix = id === CORE ? '' : `${id}:`
  return listOf(schema['attributes'])
    .filter((attribute) => attribute['mutability'] !== 'readOnly' && !(prefix === '' && HIDDEN.has(text(attribute['name']))))
    .flatMap((attribute) =>
      pathsOf(attribute, prefix).map((path) => ({
        path,
        type: text(attribute['type']) || 'string',
        required: attribute['required'] === true,
      })),
    )
    .filter(({ path }) => path.length <= 300 && readAttributePath(path) !== undefined)
}

/** The schemas that accounts have: those the resource type names, else all but those of groups. */
const accountSchemas = (schemas: readonly Members[], types: readonly Members[]): Members[] => {
  const user = types.find((type) => type['endpoint'] === '/Users' || type['name'] === 'User')
  if (!user) return schemas.filter((schema) => !text(schema['id']).endsWith(':Group'))
  const named = [text(user['schema']), ...listOf(user['schemaExtensions']).map((extension) => text(extension['schema']))]
  return schemas.filter((schema) => named.includes(text(schema['id'])))
}

/**
 * Asks a target what it says of itself (RFC 7644 section 4). What it does not serve is null, or an empty list. Throws ConnectorError where it cannot be
 * reached or does not let us in.
 */
export const discover = async (client: ScimClient, call: Call = {}): Promise<ScimDiscovery> => {
  const config = await ask(client, '/ServiceProviderConfig', call)
  const types = listed(await ask(client, '/ResourceTypes', call))
  const schemas = listed(await ask(client, '/Schemas', call))
  return {
    patch: supported(config, 'patch'),
    filter: supported(config, 'filter'),
    maxResults: maxResults(config),
    bulk: supported(config, 'bulk'),
    etag: supported(config, 'etag'),
    groups: types.length > 0 ? types.some((type) => type['endpoint'] === '/Groups' || type['name'] === 'Group') : null,
    attributes: accountSchemas(schemas, types).flatMap(attributesOf).slice(0, MOST_ATTRIBUTES),
  }
}
