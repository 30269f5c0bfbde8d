/** Every call there is, in one table: the server must serve each, the permission matrix walks each. */
import * as bulkMove from './bulk-move.ts'
import * as configVersions from './config-versions.ts'
import * as conformance from './conformance.ts'
import * as connectors from './connectors.ts'
import * as dashboard from './dashboard.ts'
import * as dateHolds from './date-holds.ts'
import * as drift from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import * as explain from './explain.ts'
import * as exports from './exports.ts'
import * as gracePeriod from './grace-period.ts'
import * as guards from './guard-settings.ts'
import * as logs from './logs.ts'
import * as lookups from './lookups.ts'
import * as matchCases from './match-cases.ts'
import * as matching from './matching.ts'
import * as outbox from './outbox.ts'
import * as overrides from './overrides.ts'
import * as placement from './placement.ts'
import * as planBreakdown from './plan-breakdown.ts'
import * as provisioning from './provisioning.ts'
import * as reportingLines from './reporting-lines.ts'
import * as runFailures from './run-failures.ts'
import * as savedViews from './saved-views.ts'
import * as scimIn from './scim-in.ts'
import * as settings from './settings.ts'
import * as sites from './sites.ts'
import * as sourceRecord from './source-record.ts'
import * as sources from './sources.ts'
import * as sync from './sync.ts'
import * as targetGroups from './target-groups.ts'
import * as targetPolicy from './target-policy.ts'
import * as targetTasks from './target-tasks.ts'
import * as tenants from './tenants.ts'
import * as undo from './undo.ts'
import * as userEdits from './user-edits.ts'
import * as userHistory from './user-history.ts'
import * as userSync from './user-sync.ts'
import * as users from './users.ts'
import * as webhookSecret from './webhook-secret.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'bodyKind' in value && 'responseKind' in value

const FEATURES = [
  tenants,
  sites,
  settings,
  lookups,
  connectors,
  scimIn,
  users,
  userEdits,
  userHistory,
  bulkMove,
  overrides,
  savedViews,
  exports,
  sync,
  explain,
  dateHolds,
  reportingLines,
  matching,
  matchCases,
  planBreakdown,
  runFailures,
  guards,
  sourceRecord,
  sources,
  undo,
  configVersions,
  conformance,
  placement,
  gracePeriod,
  outbox,
  provisioning,
  targetTasks,
  webhookSecret,
  targetPolicy,
  targetGroups,
  userSync,
  drift,
  logs,
  dashboard,
]

export const ENDPOINTS: readonly Endpoint[] = FEATURES.flatMap((feature) => Object.values(feature).filter(isEndpoint))
