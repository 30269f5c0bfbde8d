import type { Endpoint } from '@instep/contract/endpoint.ts'

/** Ids without which a call is refused before any request. */
export const MISSING_IDS = [
  'SITE_GROUP_ID_MISSING',
  'SITE_ID_MISSING',
  'USER_ID_MISSING',
  'LIST_CONNECTOR_ID_MISSING',
  'CONNECTOR_ID_MISSING',
] as const
export type MissingId = (typeof MISSING_IDS)[number]

/** By the endpoints' ids rather than their declarations, which would all join the first load. */
const NEEDED: Record<string, { param: string; code: MissingId }> = {
  'sites.updateGroup': { param: 'id', code: 'SITE_GROUP_ID_MISSING' },
  'sites.get': { param: 'id', code: 'SITE_ID_MISSING' },
  'sites.update': { param: 'id', code: 'SITE_ID_MISSING' },
  'users.update': { param: 'id', code: 'USER_ID_MISSING' },
  'users.list': { param: 'connectorId', code: 'LIST_CONNECTOR_ID_MISSING' },
  'users.search': { param: 'connectorId', code: 'LIST_CONNECTOR_ID_MISSING' },
  'connectors.update': { param: 'id', code: 'CONNECTOR_ID_MISSING' },
}

/** Which id a call lacks (1-console.md section 5), or null where it may be sent. */
export const missingIdOf = (endpoint: Endpoint, params: unknown): MissingId | null => {
  const needed = NEEDED[endpoint.id]
  if (!needed) return null
  const given = ((params ?? {}) as Record<string, unknown>)[needed.param]
  return typeof given === 'string' && given.trim() !== '' ? null : needed.code
}
