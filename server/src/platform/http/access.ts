import type { Access, Endpoint } from '@instep/contract/endpoint.ts'
import { isTenantLevel, PERMISSIONS, type Permission } from '@instep/contract/roles.ts'
import { NO_TENANT } from '../ids.ts'
import type { Actor } from './actor.ts'
import { problem } from './problem.ts'

/** What a connector's id leads to: its tenant and its own permission bits. */
export interface ConnectorHome {
  readonly tenantId: string
  readonly permissions: number
  /** Whether it is kept from whoever is not at tenant level (decisions.md section 9, Sites, roles). */
  readonly kept: boolean
}

/** How the adapter finds out what an id in a path belongs to. */
export interface Places {
  connectorHome(connectorId: string): Promise<ConnectorHome | undefined>
  tenantExists(tenantId: string): Promise<boolean>
  /** The end of the maintenance window that the tenant is in, if it is in one. */
  maintenanceEnd(tenantId: string): Promise<Date | undefined>
}

/** Refuses a caller whose scopes, roles or permission bits do not admit the call (decisions.md section 6): closed unless declared. */
export const assertMay = (who: Access, caller: { actor: Actor; scopes: readonly string[] }): void => {
  const { actor, scopes } = caller
  if (!scopes.includes('api') && !(who.basic && scopes.includes('api.basic'))) throw problem('SCOPE_MISSING')
  if (!who.roles.some((role) => actor.roles.includes(role))) throw problem('FORBIDDEN')
  if (who.bit && (actor.permissions & PERMISSIONS[who.bit]) === 0) throw problem(who.refusal ?? 'PERMISSION_MISSING')
}

/** The tenant, and the connector where the path names one, that a call is inside of. */
export interface Place {
  readonly tenantId: string
  readonly connectorId: string | undefined
}

/**
 * Resolves the path to one tenant that the caller may see. What belongs to another tenant and what does not exist look alike: 404.
 */
export const placeOf = async (
  endpoint: Endpoint,
  params: Record<string, string>,
  caller: { actor: Actor; places: Places },
): Promise<Place> => {
  const { actor, places } = caller
  if (endpoint.within === 'self') return { tenantId: actor.tenantId ?? NO_TENANT, connectorId: undefined }
  if (endpoint.within === 'tenant')
    return { tenantId: await visibleTenant(params['tenantId'] ?? params['id'], caller), connectorId: undefined }
  const id = params['connectorId'] ?? params['id'] ?? ''
  const mayBeTenant = endpoint.within === 'tenantOrConnector' || endpoint.within === 'tenantOrOfferedConnector'
  if (mayBeTenant && (id === actor.tenantId || (isSuper(actor) && (await places.tenantExists(id)))))
    return { tenantId: id, connectorId: undefined }
  const home = await places.connectorHome(id)
  if (!home || (!isSuper(actor) && home.tenantId !== actor.tenantId)) throw problem('NOT_FOUND')
  if (endpoint.within === 'tenantOrOfferedConnector' && home.kept && !isTenantLevel(actor.roles)) throw problem('NOT_FOUND')
  const { bit, refusal } = endpoint.who
  if (bit && (home.permissions & PERMISSIONS[bit]) === 0) throw problem(refusal ?? 'PERMISSION_MISSING')
  return { tenantId: home.tenantId, connectorId: id }
}

const EDIT_BITS: ReadonlySet<string | undefined> = new Set<Permission>(['editUsers', 'editSites', 'editSettings'])

/** Edits and adds by administrators, which a maintenance window refuses. */
export const isEdit = ({ method, who }: Endpoint): boolean => method !== 'GET' && EDIT_BITS.has(who.bit)

/** Refuses an edit while maintenance is under way (decisions.md section 9, Engine); everything else goes on. */
export const assertNoMaintenance = async (endpoint: Endpoint, tenantId: string, places: Places): Promise<void> => {
  if (!isEdit(endpoint)) return
  const end = await places.maintenanceEnd(tenantId)
  if (end) throw problem('MAINTENANCE', { params: { until: end.toISOString() } })
}

const isSuper = (actor: Actor): boolean => actor.roles.includes('admin.super')

const visibleTenant = async (id: string | undefined, { actor, places }: { actor: Actor; places: Places }): Promise<string> => {
  if (id !== undefined && id === actor.tenantId) return id
  if (id !== undefined && isSuper(actor) && (await places.tenantExists(id))) return id
  throw problem('NOT_FOUND')
}
