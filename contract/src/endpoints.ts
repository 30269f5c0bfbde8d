/** Every call there is, in one table: the server must serve each, the permission matrix walks each. */
import * as connectors from './connectors.ts'
import * as dashboard from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import * as logs from './logs.ts'
import * as provisioning from './provisioning.ts'
import * as sites from './sites.ts'
import * as sync from './sync.ts'
import * as tenants from './tenants.ts'
import * as users from './users.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'bodyKind' in value && 'responseKind' in value

export const ENDPOINTS: readonly Endpoint[] = [tenants, sites, connectors, users, sync, provisioning, logs, dashboard].flatMap((feature) =>
  Object.values(feature).filter(isEndpoint),
)
