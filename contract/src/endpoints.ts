/** Every call there is, in one table: the server must serve each, the permission matrix walks each. */
import * as configVersions from './config-versions.ts'
import * as connectors from './connectors.ts'
import * as dashboard from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import * as exports from './exports.ts'
import * as logs from './logs.ts'
import * as lookups from './lookups.ts'
import * as overrides from './overrides.ts'
import * as provisioning from './provisioning.ts'
import * as savedViews from './saved-views.ts'
import * as settings from './settings.ts'
import * as sites from './sites.ts'
import * as sync from './sync.ts'
import * as tenants from './tenants.ts'
import * as undo from './undo.ts'
import * as userEdits from './user-edits.ts'
import * as userHistory from './user-history.ts'
import * as users from './users.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'bodyKind' in value && 'responseKind' in value

const FEATURES = [
  tenants,
  sites,
  settings,
  lookups,
  connectors,
  users,
  userEdits,
  userHistory,
  overrides,
  savedViews,
  exports,
  sync,
  undo,
  configVersions,
  provisioning,
  logs,
  dashboard,
]

export const ENDPOINTS: readonly Endpoint[] = FEATURES.flatMap((feature) => Object.values(feature).filter(isEndpoint))
