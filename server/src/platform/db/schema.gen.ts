// Written by node server/src/platform/db/generate-schema.script.ts from the migrated database; do not edit.

import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface Admins {
  created_at: Generated<Timestamp>;
  disabled_at: Timestamp | null;
  email: string;
  id: string;
  issuer: string;
  name: string;
  permissions: Generated<number>;
  roles: string[];
  subject: string;
  tenant_id: string | null;
}

export interface AdminSiteGroups {
  admin_id: string;
  group_id: string;
  tenant_id: string;
}

export interface AdminSites {
  admin_id: string;
  site_id: string;
  tenant_id: string;
}

export interface CaughtUpOverrides {
  at: Timestamp;
  by: Json;
  field: string;
  reason: string | null;
  run_id: string;
  tenant_id: string;
  until: Timestamp | null;
  user_id: string;
  value: Json | null;
}

export interface ClaimFields {
  created_at: Timestamp;
  description: Generated<string>;
  display_name: string;
  enabled: Generated<boolean>;
  field: string | null;
  id: string;
  position: number;
  tenant_id: string;
  type: string;
}

export interface ConformanceChecks {
  discovery: Json | null;
  fitting: Json | null;
  left_overs: Generated<Json>;
  made: Generated<string[]>;
  results: Generated<Json>;
  run_id: string;
  target_id: string;
  tenant_id: string;
  user_name: string;
}

export interface Connectors {
  config_version: number | null;
  created_at: Generated<Timestamp>;
  definition_id: string;
  enabled: Generated<boolean>;
  id: string;
  ingestion_type: string;
  kind: string;
  name: string;
  name_folded: Generated<string | null>;
  permissions: Generated<number>;
  properties: Generated<Json>;
  secrets: Buffer | null;
  secrets_set: Generated<string[]>;
  tenant_id: string;
}

export interface ConnectorVersions {
  config: Json;
  connector_id: string;
  created_at: Timestamp;
  created_by: Json;
  tenant_id: string;
  version: number;
}

export interface DateHolds {
  allowed: number | null;
  connector_id: string;
  ending: number;
  held: Json;
  held_at: Timestamp;
  tenant_id: string;
}

export interface DatePasses {
  at: Timestamp;
  connector_id: string;
  ended: number;
  id: string;
  site_id: string | null;
  tenant_id: string;
}

export interface Defaults {
  id: string;
  site_id: string | null;
  tenant_id: string;
  updated_at: Timestamp;
  updated_by: Json;
  values: Generated<Json>;
}

export interface DriftAccepted {
  at: Timestamp;
  by: Json;
  ours: Json | null;
  path: string[];
  target_id: string;
  tenant_id: string;
  theirs: Json | null;
  user_id: string;
}

export interface DriftFindings {
  changes: Generated<Json>;
  decided_at: Timestamp | null;
  decided_by: Json | null;
  found: Json | null;
  kind: string;
  remote_id: string;
  run_id: string;
  sequence: number;
  state: Generated<string>;
  target_id: string;
  tenant_id: string;
  user_id: string | null;
}

export interface DriftIgnored {
  at: Timestamp;
  by: Json;
  remote_id: string;
  target_id: string;
  tenant_id: string;
}

export interface DriftSeen {
  remote_id: string;
  run_id: string;
  tenant_id: string;
}

export interface DriftSettings {
  every: string;
  hour: number;
  next_at: Timestamp | null;
  put_back: boolean;
  target_id: string;
  tenant_id: string;
  time_zone: string;
  weekday: number;
}

export interface Events {
  actor: Json;
  after: Json | null;
  at: Timestamp;
  before: Json | null;
  connector_id: string | null;
  correlation_id: string;
  data: Generated<Json>;
  hash: Buffer | null;
  id: string;
  stream: string;
  subject_id: string | null;
  tenant_id: string;
  type: string;
}

export interface Files {
  connector_id: string;
  created_at: Timestamp;
  created_by: Json;
  deleted_at: Timestamp | null;
  format: string;
  id: string;
  name: string;
  size: number;
  tenant_id: string;
}

export interface IdentityAccounts {
  created_at: Generated<Timestamp>;
  email: string;
  /**
   * Attempts reserved since the last complete sign-in; reserved before the hash is computed.
   */
  failed_attempts: Generated<number>;
  /**
   * The subject (sub) of every token issued for this account.
   */
  id: string;
  locked_until: Timestamp | null;
  name: string;
  password_hash: string | null;
  password_set_at: Timestamp | null;
  totp_last_step: number | null;
  /**
   * Encrypted with the master key. Absent: no second factor.
   */
  totp_secret: Buffer | null;
}

export interface IdentityKeys {
  created_at: Timestamp;
  kid: string;
  /**
   * Encrypted with the master key.
   */
  private_key: Buffer;
  public_jwk: Json;
  stage: string;
  stage_since: Timestamp;
}

export interface IdentitySetupLinks {
  account_id: string;
  expires_at: Timestamp;
  token_hash: Buffer;
}

export interface IdentityState {
  account_id: string | null;
  consumed_at: Timestamp | null;
  expires_at: Timestamp | null;
  grant_id: string | null;
  id: string;
  model: string;
  payload: Json;
  uid: string | null;
}

export interface IdentitySteps {
  account_id: string;
  expires_at: Timestamp;
  interaction_uid: string;
}

export interface InstepMigrations {
  applied_at: Generated<Timestamp>;
  checksum: string;
  name: string;
}

export interface Leavers {
  connector_id: string | null;
  deactivated_at: Timestamp | null;
  kept_until: Timestamp | null;
  tenant_id: string | null;
  user_id: string | null;
}

export interface LookupValues {
  created_at: Timestamp;
  departments: Generated<string[]>;
  id: string;
  origin: string;
  reference_type: string;
  retired_at: Timestamp | null;
  tenant_id: string;
  value: string;
  value_folded: Generated<string | null>;
}

export interface ManagerCycles {
  people: Json;
  position: number;
  run_id: string;
  tenant_id: string;
}

export interface ManagerReferences {
  candidates: number | null;
  connector_id: string;
  manager_id: string | null;
  reference_type: string | null;
  tenant_id: string;
  user_id: string;
  value: string;
  value_key: Generated<string>;
}

export interface MatchCases {
  before: Json | null;
  candidates: Json;
  closed_at: Timestamp | null;
  closed_because: string | null;
  connector_id: string;
  decided_at: Timestamp | null;
  decided_by: Json | null;
  decision: string | null;
  display_name: string;
  employee_id: string;
  id: string;
  kind: string;
  opened_at: Timestamp;
  reason: string | null;
  record: Json;
  row_number: number;
  run_id: string;
  source_key: string;
  state: Generated<string>;
  tenant_id: string;
  user_id: string | null;
}

export interface Messages {
  address: string;
  admin_id: string | null;
  attempts: Generated<number>;
  channel: string;
  correlation_id: string;
  created_at: Timestamp;
  id: string;
  idempotency_key: string;
  last_error: string | null;
  locale: string;
  next_try_at: Timestamp | null;
  params: Json;
  recipient_name: string;
  sent_at: Timestamp | null;
  state: Generated<string>;
  template: string;
  tenant_id: string;
}

export interface MovedAccounts {
  seq: Generated<number>;
  target_id: string;
  tenant_id: string;
  user_id: string;
}

export interface PeopleCounts {
  connector_id: string;
  list_status: number;
  people: number;
  place_id: string;
  tenant_id: string;
}

export interface PlanRows {
  after: Generated<Json>;
  before: Generated<Json>;
  case_id: string | null;
  display_name: string;
  employee_id: string;
  kind: string;
  reasons: Generated<Json>;
  record_hash: Buffer | null;
  row_number: number | null;
  run_id: string;
  seq: number;
  source_key: string | null;
  stale: Generated<boolean>;
  tenant_id: string;
  user_id: string | null;
  user_version: number | null;
}

export interface ProtectedPeople {
  connector_id: string;
  created_at: Timestamp;
  created_by: Json;
  reason: string;
  tenant_id: string;
  user_id: string;
}

export interface ProvisioningLeavers {
  connector_id: string | null;
  kept_until: Timestamp | null;
  left_at: Timestamp | null;
  protection: string | null;
  tenant_id: string | null;
  user_id: string | null;
}

export interface ProvisioningManagers {
  manager_id: string | null;
  tenant_id: string | null;
  user_id: string | null;
}

export interface ProvisioningPeople {
  people: number | null;
  tenant_id: string | null;
}

export interface ProvisioningSitePeople {
  site_id: string | null;
  tenant_id: string | null;
  user_id: string | null;
}

export interface ProvisioningSites {
  active: boolean | null;
  name: string | null;
  restricted: boolean | null;
  site_id: string | null;
  tenant_id: string | null;
}

export interface ProvisioningTargets {
  definition_id: string | null;
  enabled: boolean | null;
  name: string | null;
  properties: Json | null;
  secrets: Buffer | null;
  target_id: string | null;
  tenant_id: string | null;
}

export interface ProvisioningUsers {
  active: boolean | null;
  approver: string | null;
  approver_reference_type: string | null;
  connector_id: string | null;
  cost_center: string | null;
  country: string | null;
  department: string | null;
  display_name: string | null;
  division: string | null;
  employee_number: string | null;
  employment_type: string | null;
  end_date: string | null;
  external_id: string | null;
  external_id_prefix: string | null;
  external_reference_id: string | null;
  family_name: string | null;
  given_name: string | null;
  leader: string | null;
  locale: string | null;
  locality: string | null;
  location_name: string | null;
  manager: string | null;
  manager_reference_type: string | null;
  organization: string | null;
  personal_email: string | null;
  personal_phone: string | null;
  preferred_language: string | null;
  start_date: string | null;
  tenant_id: string | null;
  timezone: string | null;
  title: string | null;
  user_id: string | null;
  user_name: string | null;
  user_type: string | null;
  version: number | null;
  work_email: string | null;
  work_phone: string | null;
}

export interface Runs {
  applied: Generated<number>;
  applied_through: Generated<number>;
  cancel_requested: Generated<boolean>;
  cancelled_by: Json | null;
  connector_id: string | null;
  correlation_id: string;
  counts: Generated<Json>;
  created_at: Timestamp;
  created_by: Json;
  decided_at: Timestamp | null;
  decided_by: Json | null;
  decision_reason: string | null;
  failure: Json | null;
  findings: Generated<Json>;
  finished_at: Timestamp | null;
  held: Json | null;
  id: string;
  input: Json;
  kind: string;
  lease_owner: string | null;
  leased_until: Timestamp | null;
  source_profile: Json | null;
  stages: Generated<Json>;
  stale: Generated<number>;
  started_at: Timestamp | null;
  state: Generated<string>;
  tenant_id: string;
  version: Generated<number>;
}

export interface SavedViews {
  admin_id: string;
  created_at: Timestamp;
  id: string;
  name: string;
  name_folded: Generated<string | null>;
  state: Json;
  tenant_id: string;
}

export interface ScimFeeds {
  change: Generated<number>;
  connector_id: string;
  last_error: Json | null;
  last_push_at: Timestamp | null;
  tenant_id: string;
}

export interface ScimGroupMembers {
  connector_id: string;
  group_id: string;
  tenant_id: string;
  user_id: string;
}

export interface ScimGroups {
  change: number;
  connector_id: string;
  created_at: Timestamp;
  external_id: string | null;
  id: string;
  name_folded: string;
  resource: Json;
  search: Json;
  tenant_id: string;
  updated_at: Timestamp;
  version: Generated<number>;
}

export interface ScimTokens {
  connector_id: string;
  created_at: Timestamp;
  created_by: Json;
  expires_at: Timestamp | null;
  hash: string;
  id: string;
  label: string;
  last_used_at: Timestamp | null;
  tenant_id: string;
}

export interface ScimUsers {
  active: boolean;
  change: number;
  connector_id: string;
  created_at: Timestamp;
  external_id: string | null;
  id: string;
  resource: Json;
  search: Json;
  tenant_id: string;
  updated_at: Timestamp;
  user_name_folded: string;
  version: Generated<number>;
}

export interface SiteGroups {
  created_at: Generated<Timestamp>;
  id: string;
  name: string;
  name_folded: Generated<string | null>;
  tenant_id: string;
}

export interface Sites {
  active: Generated<boolean>;
  created_at: Generated<Timestamp>;
  employee_id_prefix: Generated<string>;
  external_code: string | null;
  group_id: string | null;
  id: string;
  name: string;
  name_folded: Generated<string | null>;
  restricted: Generated<boolean>;
  shifts_enabled: Generated<boolean>;
  tenant_id: string;
  time_zone: Generated<string>;
}

export interface SitesBeforeRuns {
  run_id: string;
  site_id: string | null;
  tenant_id: string;
  user_id: string;
}

export interface SourceLinks {
  config_version: number;
  connector_id: string;
  left_scope: boolean | null;
  missing_since: Timestamp | null;
  record_hash: Buffer;
  source_key: string;
  tenant_id: string;
  user_id: string;
}

export interface SourceSchedules {
  apply: string;
  connector_id: string;
  cron: string;
  enabled: boolean;
  enabled_at: Timestamp;
  last_started_at: Timestamp | null;
  next_at: Timestamp | null;
  retries: Generated<number>;
  skipped: Json | null;
  tenant_id: string;
  time_zone: string;
}

export interface SourceStates {
  connector_id: string;
  host_key: Json | null;
  last_data_at: Timestamp | null;
  last_error: Json | null;
  last_fetch_at: Timestamp | null;
  seen: Json | null;
  settle_due: Json | null;
  silent_since: Timestamp | null;
  tenant_id: string;
  watermark: Json | null;
}

export interface StagedRecords {
  raw: Json;
  record_hash: Buffer;
  row_number: number;
  run_id: string;
  source_key: string | null;
  tenant_id: string;
}

export interface SyncedPeople {
  run_id: string;
  sequence: number;
  source: Json | null;
  targets: Json | null;
  tenant_id: string;
  user_id: string;
}

export interface TargetAccounts {
  applied_at: Timestamp | null;
  applied_document: Json | null;
  applied_hash: Buffer | null;
  attempts: Generated<number>;
  cause: string | null;
  correlation_id: string | null;
  etag: string | null;
  last_error: string | null;
  lease_owner: string | null;
  leased_until: Timestamp | null;
  marked_at: Generated<Timestamp>;
  next_try_at: Generated<Timestamp>;
  remote_id: string | null;
  removal: string | null;
  removal_at: Timestamp | null;
  revision: Generated<number>;
  state: Generated<string>;
  target_id: string;
  tenant_id: string;
  uncertain: Generated<boolean>;
  user_id: string;
  user_version: number | null;
}

export interface TargetCounts {
  accounts: number;
  cause: string | null;
  state: string;
  target_id: string;
  tenant_id: string;
}

export interface TargetGroups {
  applied_at: Timestamp | null;
  applied_document: Json | null;
  applied_hash: Buffer | null;
  attempts: Generated<number>;
  cause: string | null;
  correlation_id: string | null;
  id: string;
  key: string;
  last_error: string | null;
  lease_owner: string | null;
  leased_until: Timestamp | null;
  name: string;
  name_key: Generated<string | null>;
  next_try_at: Generated<Timestamp>;
  origin: string;
  remote_id: string | null;
  revision: Generated<number>;
  settings: Generated<Json>;
  state: Generated<string>;
  target_id: string;
  tenant_id: string;
  uncertain: Generated<boolean>;
  wanted: Generated<boolean>;
}

export interface TargetHealth {
  cause: string | null;
  detail: string | null;
  paused_since: Timestamp | null;
  paused_until: Timestamp | null;
  target_id: string;
  tenant_id: string;
}

export interface TargetMarkings {
  after_user: string;
  correlation_id: string;
  done: number;
  target_id: string;
  tenant_id: string;
}

export interface TargetMemberRemovals {
  at: Timestamp;
  members: number;
  target_id: string;
  tenant_id: string;
}

export interface TargetMembers {
  cause: string | null;
  correlation_id: string | null;
  group_id: string;
  last_error: string | null;
  remote_id: string | null;
  removal: string | null;
  revision: Generated<number>;
  state: Generated<string>;
  target_id: string;
  tenant_id: string;
  user_id: string;
  wanted: boolean;
}

export interface TargetPace {
  count: number;
  minute: Timestamp;
  slot: number;
  target_id: string;
  tenant_id: string;
}

export interface TargetPolicies {
  policy: Json;
  target_id: string;
  tenant_id: string;
  updated_at: Generated<Timestamp>;
}

export interface TargetRemovalHolds {
  allowed: number;
  decided_at: Timestamp | null;
  decided_by: Json | null;
  decision: string | null;
  held_at: Timestamp;
  id: string;
  kind: string;
  population: number;
  reason: string | null;
  target_id: string;
  tenant_id: string;
  wanted: number;
}

export interface TargetTasks {
  account_name: string | null;
  assigned_name: string | null;
  assigned_to: string | null;
  changed_at: Timestamp;
  closed_at: Timestamp | null;
  closed_by: Json | null;
  comment: string | null;
  confirmed: Json | null;
  confirmed_remote_id: string | null;
  document: Json | null;
  id: string;
  kind: string;
  opened_at: Timestamp;
  reason: string | null;
  revision: Generated<number>;
  state: Generated<string>;
  target_id: string;
  tenant_id: string;
  user_id: string;
}

export interface TargetTimes {
  bucket: number;
  count: number;
  day: string;
  kind: string;
  slot: number;
  target_id: string;
  tenant_id: string;
}

export interface TaskAssignees {
  admin_id: string | null;
  name: string | null;
  roles: string[] | null;
  tenant_id: string | null;
}

export interface TaskPeople {
  connector_id: string | null;
  display_name: string | null;
  employee_id: string | null;
  site_id: string | null;
  tenant_id: string | null;
  user_id: string | null;
}

export interface TaskTargets {
  instructions: string | null;
  name: string | null;
  permissions: number | null;
  target_id: string | null;
  tenant_id: string | null;
}

export interface Tenants {
  contact: Generated<Json>;
  created_at: Generated<Timestamp>;
  default_locale: Generated<string>;
  features: Generated<Json>;
  id: string;
  maintenance: Generated<Json>;
  name: string;
  status: Generated<string>;
  time_zone: Generated<string>;
}

export interface UserOverrides {
  at: Timestamp;
  by: Json;
  field: string;
  reason: string | null;
  tenant_id: string;
  until: Timestamp | null;
  user_id: string;
  value: Json | null;
}

export interface Users {
  access_code_delivery: Generated<string>;
  active: Generated<boolean>;
  approver: string | null;
  approver_reference_type: string | null;
  base: Generated<Json>;
  claim_fields: Generated<Json>;
  claim_state: Generated<string>;
  claimed_at: Timestamp | null;
  connector_id: string;
  cost_center: string | null;
  country: string | null;
  created_at: Timestamp;
  custom_field_1: string | null;
  custom_field_2: string | null;
  date_of_birth: string | null;
  deactivated_at: Timestamp | null;
  department: string | null;
  display_name: string;
  division: string | null;
  employee_number: string | null;
  employment_state: Generated<string>;
  employment_type: string | null;
  end_date: string | null;
  external_id: string;
  external_id_prefix: string | null;
  external_partner_company: string | null;
  external_reference_id: string | null;
  family_name: string;
  gender: string | null;
  given_name: string;
  id: string;
  invited_at: Timestamp | null;
  leader: string | null;
  list_status: Generated<number>;
  locale: string | null;
  locality: string | null;
  location_name: string | null;
  lock_kind: string | null;
  lock_reason: string | null;
  locked: Generated<boolean>;
  locked_at: Timestamp | null;
  locked_by: Json | null;
  manager: string | null;
  manager_reference_type: string | null;
  name_key: Generated<string | null>;
  organization: string | null;
  overridden: Generated<boolean>;
  personal_email: string | null;
  personal_phone: string | null;
  preferred_language: string | null;
  search: Generated<string | null>;
  site_id: string | null;
  sso_data: Json | null;
  start_date: string | null;
  start_key: Generated<string>;
  tenant_id: string;
  timezone: string | null;
  title: string | null;
  updated_at: Timestamp;
  user_name: string | null;
  user_type: string | null;
  version: Generated<number>;
  vip: Generated<boolean>;
  work_email: string | null;
  work_phone: string | null;
}

export interface WebhookDeliveries {
  acknowledged: Generated<number>;
  document: Json | null;
  message_body: string | null;
  message_document: Json | null;
  message_id: string | null;
  message_type: string | null;
  sequence: number;
  target_id: string;
  tenant_id: string;
  user_id: string;
}

export interface DB {
  admin_site_groups: AdminSiteGroups;
  admin_sites: AdminSites;
  admins: Admins;
  caught_up_overrides: CaughtUpOverrides;
  claim_fields: ClaimFields;
  conformance_checks: ConformanceChecks;
  connector_versions: ConnectorVersions;
  connectors: Connectors;
  date_holds: DateHolds;
  date_passes: DatePasses;
  defaults: Defaults;
  drift_accepted: DriftAccepted;
  drift_findings: DriftFindings;
  drift_ignored: DriftIgnored;
  drift_seen: DriftSeen;
  drift_settings: DriftSettings;
  events: Events;
  files: Files;
  identity_accounts: IdentityAccounts;
  identity_keys: IdentityKeys;
  identity_setup_links: IdentitySetupLinks;
  identity_state: IdentityState;
  identity_steps: IdentitySteps;
  instep_migrations: InstepMigrations;
  leavers: Leavers;
  lookup_values: LookupValues;
  manager_cycles: ManagerCycles;
  manager_references: ManagerReferences;
  match_cases: MatchCases;
  messages: Messages;
  moved_accounts: MovedAccounts;
  people_counts: PeopleCounts;
  plan_rows: PlanRows;
  protected_people: ProtectedPeople;
  provisioning_leavers: ProvisioningLeavers;
  provisioning_managers: ProvisioningManagers;
  provisioning_people: ProvisioningPeople;
  provisioning_site_people: ProvisioningSitePeople;
  provisioning_sites: ProvisioningSites;
  provisioning_targets: ProvisioningTargets;
  provisioning_users: ProvisioningUsers;
  runs: Runs;
  saved_views: SavedViews;
  scim_feeds: ScimFeeds;
  scim_group_members: ScimGroupMembers;
  scim_groups: ScimGroups;
  scim_tokens: ScimTokens;
  scim_users: ScimUsers;
  site_groups: SiteGroups;
  sites: Sites;
  sites_before_runs: SitesBeforeRuns;
  source_links: SourceLinks;
  source_schedules: SourceSchedules;
  source_states: SourceStates;
  staged_records: StagedRecords;
  synced_people: SyncedPeople;
  target_accounts: TargetAccounts;
  target_counts: TargetCounts;
  target_groups: TargetGroups;
  target_health: TargetHealth;
  target_markings: TargetMarkings;
  target_member_removals: TargetMemberRemovals;
  target_members: TargetMembers;
  target_pace: TargetPace;
  target_policies: TargetPolicies;
  target_removal_holds: TargetRemovalHolds;
  target_tasks: TargetTasks;
  target_times: TargetTimes;
  task_assignees: TaskAssignees;
  task_people: TaskPeople;
  task_targets: TaskTargets;
  tenants: Tenants;
  user_overrides: UserOverrides;
  users: Users;
  webhook_deliveries: WebhookDeliveries;
}
