-- The foundation: tenants and their sites, administrators, connectors, people, the sync's memory and plans, desired and applied state
-- at the targets, runs, and the record of everything that happened.
--
-- tenant_id leads every primary key and every unique constraint, so that the tables can be distributed by tenant without a rewrite.
-- Columns that order a list are collated "C": ordering must not differ between servers, or keyset pages would skip rows.

create extension if not exists pg_trgm;

create table tenants (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  features jsonb not null default '{"sso": false, "shifts": false, "dataCompliance": false}',
  default_locale text not null default 'en_GB',
  time_zone text not null default 'Europe/London',
  contact jsonb not null default '{"name": "", "email": ""}',
  maintenance jsonb not null default '{"enabled": false, "message": ""}',
  created_at timestamptz not null default now()
);

create table site_groups (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text collate "C" generated always as (lower(name)) stored,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint site_groups_name_unique unique (tenant_id, name_folded)
);

create table sites (
  tenant_id uuid not null references tenants,
  id uuid not null,
  group_id uuid,
  name text not null,
  name_folded text collate "C" generated always as (lower(name)) stored,
  employee_id_prefix text not null default '',
  restricted boolean not null default false,
  shifts_enabled boolean not null default false,
  time_zone text not null default 'Europe/London',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint sites_name_unique unique (tenant_id, name_folded),
  foreign key (tenant_id, group_id) references site_groups
);
create index sites_group on sites (tenant_id, group_id);

-- A super admin may stand above the tenants (tenant_id null); everybody else belongs to one.
create table admins (
  id uuid primary key,
  tenant_id uuid references tenants,
  issuer text not null,
  subject text not null,
  name text not null,
  email text not null,
  roles text[] not null,
  permissions integer not null default 1023,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint admins_subject_unique unique (issuer, subject),
  constraint admins_tenant_needed check (tenant_id is not null or 'admin.super' = any (roles)),
  constraint admins_roles_known check (
    cardinality(roles) > 0
    and roles <@ array ['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site', 'admin.gdpr']
  )
);
create index admins_tenant on admins (tenant_id);

create table admin_site_groups (
  tenant_id uuid not null,
  admin_id uuid not null references admins on delete cascade,
  group_id uuid not null,
  primary key (tenant_id, admin_id, group_id),
  foreign key (tenant_id, group_id) references site_groups on delete cascade
);
create index admin_site_groups_admin on admin_site_groups (admin_id);
create index admin_site_groups_group on admin_site_groups (tenant_id, group_id);

create table admin_sites (
  tenant_id uuid not null,
  admin_id uuid not null references admins on delete cascade,
  site_id uuid not null,
  primary key (tenant_id, admin_id, site_id),
  foreign key (tenant_id, site_id) references sites on delete cascade
);
create index admin_sites_admin on admin_sites (admin_id);
create index admin_sites_site on admin_sites (tenant_id, site_id);

create table connectors (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text collate "C" generated always as (lower(name)) stored,
  definition_id text not null,
  kind text not null check (kind in ('source', 'target')),
  ingestion_type text not null,
  enabled boolean not null default true,
  properties jsonb not null default '{}',
  -- encrypted JSON object of the secret properties
  secrets bytea,
  secrets_set text[] not null default '{}',
  permissions integer not null default 1023,
  -- the configuration version in force; null until a mapping was chosen
  config_version integer,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint connectors_name_unique unique (tenant_id, name_folded)
);
-- a connector id in a path is resolved to its tenant
create unique index connectors_id on connectors (id);

create table connector_versions (
  tenant_id uuid not null,
  connector_id uuid not null,
  version integer not null,
  config jsonb not null,
  created_by jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, connector_id, version),
  foreign key (tenant_id, connector_id) references connectors
);

-- Columns hold effective values (base with the overrides on top), because lists, rules and targets read them far more often than edits come.
create table users (
  tenant_id uuid not null references tenants,
  id uuid not null,
  connector_id uuid not null,
  site_id uuid,
  external_id text collate "C" not null,
  employee_number text,
  given_name text not null,
  family_name text not null,
  display_name text not null,
  user_name text,
  external_reference_id text,
  work_email text,
  personal_email text,
  work_phone text,
  personal_phone text,
  preferred_language text,
  locale text,
  timezone text,
  user_type text,
  title text,
  department text,
  division text,
  organization text,
  cost_center text,
  location_name text,
  locality text,
  country text,
  manager text,
  approver text,
  leader text,
  start_date date,
  end_date date,
  access_code_delivery text not null default 'none',
  gender text,
  employment_type text,
  date_of_birth date,
  custom_field_1 text,
  custom_field_2 text,
  external_partner_company text,
  external_id_prefix text,
  claim_fields jsonb not null default '{}',
  sso_data jsonb,
  active boolean not null default true,
  -- what the source said last, by field name of the form model, `active` among them
  base jsonb not null default '{}',
  version integer not null default 1,
  overridden boolean not null default false,
  claim_state text not null default 'awaitingInvitation' check (claim_state in ('awaitingInvitation', 'invited', 'claimed')),
  invited_at timestamptz,
  claimed_at timestamptz,
  deactivated_at timestamptz,
  locked boolean not null default false,
  lock_reason text,
  vip boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_key text collate "C" generated always as (lower(display_name)) stored,
  search text generated always as (
    -- the external id's "C" would win, and "C" folds no letter beyond ASCII
    lower(
      (
        display_name || ' ' || given_name || ' ' || family_name || ' ' || external_id || ' ' || coalesce(employee_number, '') || ' '
        || coalesce(work_email, '') || ' ' || coalesce(personal_email, '')
      ) collate "default"
    )
  ) stored,
  primary key (tenant_id, id),
  -- the database refuses the second, nobody reads first
  constraint users_external_id_unique unique (tenant_id, connector_id, external_id),
  foreign key (tenant_id, connector_id) references connectors,
  foreign key (tenant_id, site_id) references sites
);
create index users_by_name on users (tenant_id, name_key, id);
create index users_by_connector on users (tenant_id, connector_id, name_key, id);
create index users_by_site on users (tenant_id, site_id, name_key, id);
create index users_by_external_id on users (tenant_id, external_id, id);
create index users_by_start on users (tenant_id, (coalesce(start_date, 'infinity'::date)), id);
create index users_by_claim on users (tenant_id, active, claim_state, name_key, id);
create index users_search on users using gin (search gin_trgm_ops);

create table user_overrides (
  tenant_id uuid not null,
  user_id uuid not null,
  field text not null,
  value jsonb,
  by jsonb not null,
  at timestamptz not null,
  reason text,
  until timestamptz,
  primary key (tenant_id, user_id, field),
  foreign key (tenant_id, user_id) references users on delete cascade
);

-- An uploaded file; its bytes lie in the data folder under the same id until the run that reads it is over.
create table files (
  tenant_id uuid not null,
  id uuid not null,
  connector_id uuid not null,
  name text not null,
  size bigint not null,
  format text not null check (format in ('csv', 'xlsx')),
  created_by jsonb not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references connectors
);
create index files_connector on files (tenant_id, connector_id, id);

create table runs (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null,
  connector_id uuid,
  correlation_id text not null,
  state text not null default 'queued' check (
    state in ('queued', 'running', 'planned', 'held', 'succeeded', 'partlySucceeded', 'failed', 'rejected', 'cancelled')
  ),
  -- what the run was asked to do: file, encoding, delimiter, configuration version
  input jsonb not null,
  stages jsonb not null default '[]',
  counts jsonb not null default '{}',
  -- the last sequence of the plan that was carried out; grows in the transaction of the chunk it belongs to
  applied_through integer not null default 0,
  applied integer not null default 0,
  stale integer not null default 0,
  held jsonb,
  failure jsonb,
  created_by jsonb not null,
  decided_by jsonb,
  decided_at timestamptz,
  decision_reason text,
  cancel_requested boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- grows with every change, so that a watcher knows whether there is news
  version integer not null default 1,
  leased_until timestamptz,
  lease_owner uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references connectors
);
-- no overlap: a connector has one run that is not over
create unique index runs_one_open on runs (tenant_id, connector_id) where state in ('queued', 'running', 'planned', 'held');
create index runs_connector on runs (tenant_id, connector_id, id);
create index runs_due on runs (leased_until) where state in ('queued', 'running');

-- Unlogged: the file is kept until the run ends, so a crash reads it again.
create unlogged table staged_records (
  tenant_id uuid not null,
  run_id uuid not null,
  row_number integer not null,
  source_key text collate "C",
  record_hash bytea not null,
  -- the cells in the order of the header; json and not jsonb, because a file may hold what jsonb refuses (U+0000)
  raw json not null
);
create index staged_records_row on staged_records (run_id, row_number);

-- The memory: who a record of a source is, and what it said last.
create table source_links (
  tenant_id uuid not null,
  connector_id uuid not null,
  source_key text collate "C" not null,
  user_id uuid not null,
  record_hash bytea not null,
  config_version integer not null,
  missing_since timestamptz,
  primary key (tenant_id, connector_id, source_key),
  constraint source_links_user_unique unique (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);

-- What a run decided, and why; the only thing that apply reads. Unchanged records are a count, not rows. How far it was carried out is one
-- number of the run (`applied_through`); only rows that could not be carried out are marked, so that applying does not rewrite the plan.
create table plan_rows (
  tenant_id uuid not null,
  run_id uuid not null,
  seq integer not null,
  kind text not null check (kind in ('create', 'update', 'deactivate', 'reactivate', 'conflict', 'invalid')),
  -- the person moved on after the plan was made, and was left alone
  stale boolean not null default false,
  row_number integer,
  user_id uuid,
  -- the version of the person that the plan read; a row whose person moved on is not forced
  user_version integer,
  source_key text collate "C",
  record_hash bytea,
  display_name text not null,
  employee_id text not null,
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  reasons jsonb not null default '[]',
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references runs on delete cascade
);
create index plan_rows_kind on plan_rows (tenant_id, run_id, kind, seq);

-- What a target should have is computed from the person when the row is claimed; what it confirmed last is kept here.
create table target_accounts (
  tenant_id uuid not null,
  target_id uuid not null,
  user_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'inStep', 'failed', 'quarantined', 'paused')),
  -- grows whenever the row is marked pending: an answer to what was wanted before does not make the row in step
  revision integer not null default 1,
  -- the change that made the row pending
  correlation_id text,
  -- the version of the person that was applied last
  user_version integer,
  applied_document jsonb,
  applied_hash bytea,
  applied_at timestamptz,
  remote_id text,
  etag text,
  -- an act was sent whose answer never came: look the account up before acting again. A lease that ran out says the same.
  uncertain boolean not null default false,
  attempts integer not null default 0,
  -- -infinity: at once
  next_try_at timestamptz not null default '-infinity',
  cause text,
  last_error text,
  leased_until timestamptz,
  lease_owner uuid,
  -- a person's rows stand together; those of a target are found by the index of what is due
  primary key (tenant_id, user_id, target_id),
  foreign key (tenant_id, target_id) references connectors,
  foreign key (tenant_id, user_id) references users on delete cascade
);
-- one account is never two people's
create unique index target_accounts_remote on target_accounts (tenant_id, target_id, remote_id) where remote_id is not null;
create index target_accounts_due on target_accounts (tenant_id, target_id, next_try_at, user_id)
  where state in ('pending', 'failed', 'paused');
create index target_accounts_trouble on target_accounts (tenant_id, target_id, state, user_id)
  where state in ('failed', 'quarantined', 'paused');

-- What provisioning knows of connectors and people: its own views, so that it stands above both.
create view provisioning_targets as
  select tenant_id, id as target_id, name, definition_id, properties, secrets, enabled from connectors where kind = 'target';

create view provisioning_users as
  select
    tenant_id, id as user_id, version, connector_id, active, external_id, employee_number, given_name, family_name, display_name, user_name,
    external_reference_id, work_email, personal_email, work_phone, personal_phone, preferred_language, locale, timezone, user_type, title,
    department, division, organization, cost_center, location_name, locality, country, manager, approver, leader, start_date, end_date,
    employment_type, external_id_prefix
  from users;

-- Append only, one partition a month. `data` fills the words of `type`; `before` and `after` hold changed fields.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  stream text not null check (stream in ('user', 'directory', 'message', 'admin', 'job')),
  type text not null,
  correlation_id text not null,
  actor jsonb not null,
  subject_id uuid,
  connector_id uuid,
  data jsonb not null default '{}',
  before jsonb,
  after jsonb,
  -- the tenant's admin stream is a chain: hash over the entry and the hash before it
  hash bytea,
  primary key (tenant_id, id, at)
) partition by range (at);
create table events_rest partition of events default;
create index events_stream on events (tenant_id, stream, id);
create index events_subject on events (tenant_id, subject_id, id) where subject_id is not null;
create index events_correlation on events (tenant_id, correlation_id, id);

-- Makes the monthly partitions from the month of `since` on. Rows that arrived in the default partition first keep their place.
create function ensure_event_partitions(since date, months integer) returns void language plpgsql as $$
declare
  first date := date_trunc('month', since)::date;
  part date;
begin
  for step in 0 .. months - 1 loop
    part := (first + make_interval(months => step))::date;
    if to_regclass('events_' || to_char(part, 'YYYY_MM')) is null
      and not exists (select from events_rest where at >= part and at < part + interval '1 month') then
      execute format(
        'create table %I partition of events for values from (%L) to (%L)',
        'events_' || to_char(part, 'YYYY_MM'), part, (part + interval '1 month')::date
      );
    end if;
  end loop;
end $$;
