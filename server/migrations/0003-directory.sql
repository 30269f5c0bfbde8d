-- The directory: edits by hand and their locks, defaults, lookup values, saved views, security attributes.

alter table users
  -- how `manager` and `approver` are to be read; null where nobody said
  add column manager_reference_type text check (manager_reference_type in ('email', 'externalId')),
  add column approver_reference_type text check (approver_reference_type in ('email', 'externalId')),
  -- who locked the person, when, and what lifts the lock: an administrator, or the erasure or move that holds them
  add column locked_by jsonb,
  add column locked_at timestamptz,
  add column lock_kind text check (lock_kind in ('admin', 'erasure', 'move'));

-- provisioning reads every field of the form model
create or replace view provisioning_users as
  select
    tenant_id, id as user_id, version, connector_id, active, external_id, employee_number, given_name, family_name, display_name, user_name,
    external_reference_id, work_email, personal_email, work_phone, personal_phone, preferred_language, locale, timezone, user_type, title,
    department, division, organization, cost_center, location_name, locality, country, manager, approver, leader, start_date, end_date,
    employment_type, external_id_prefix, manager_reference_type, approver_reference_type
  from users;

create index user_overrides_age on user_overrides (tenant_id, at, user_id, field);
create index user_overrides_field on user_overrides (tenant_id, field, at, user_id);
create index user_overrides_lapse on user_overrides (until) where until is not null;

-- One set a tenant (site_id null) and one a site; the nearest that names a field counts.
create table defaults (
  tenant_id uuid not null references tenants,
  id uuid not null,
  site_id uuid,
  values jsonb not null default '{}',
  updated_at timestamptz not null,
  updated_by jsonb not null,
  primary key (tenant_id, id),
  constraint defaults_one_a_place unique nulls not distinct (tenant_id, site_id),
  foreign key (tenant_id, site_id) references sites on delete cascade
);

create table lookup_values (
  tenant_id uuid not null references tenants,
  id uuid not null,
  reference_type text not null,
  value text not null,
  value_folded text collate "C" generated always as (lower(value)) stored,
  -- of a job title: the departments that it is used in; empty = any
  departments text[] not null default '{}',
  origin text not null check (origin in ('sync', 'admin')),
  retired_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint lookup_values_unique unique (tenant_id, reference_type, value_folded)
);

create table saved_views (
  tenant_id uuid not null references tenants,
  admin_id uuid not null references admins on delete cascade,
  id uuid not null,
  name text not null,
  name_folded text collate "C" generated always as (lower(name)) stored,
  state jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, admin_id, id),
  constraint saved_views_name_unique unique (tenant_id, admin_id, name_folded)
);
create index saved_views_admin on saved_views (admin_id);

-- The security attributes of the activation portal. Default ones read a field of the form; the others are kept in users.claim_fields by id.
create table claim_fields (
  tenant_id uuid not null references tenants,
  id uuid not null,
  position integer not null,
  display_name text not null,
  description text not null default '',
  type text not null check (type in ('text', 'numeric', 'date')),
  enabled boolean not null default false,
  field text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint claim_fields_field_unique unique (tenant_id, field)
);

-- The status of a list: 0 not invited, 1 invited and not claimed, 2 claimed, 3 inactive. A list of several statuses reads one range of an index
-- for each and merges them, so that every page costs what its rows cost. `start_key` is never null, and a column, so that an index alone answers.
alter table users
  add column list_status smallint not null generated always as (
    case when not active then 3 when claim_state = 'awaitingInvitation' then 0 when claim_state = 'invited' then 1 else 2 end
  ) stored,
  add column start_key date not null generated always as (coalesce(start_date, 'infinity'::date)) stored;
drop index users_by_name, users_by_connector, users_by_site, users_by_external_id, users_by_start, users_by_claim;
create index users_of_connector_by_name on users (tenant_id, connector_id, list_status, name_key, id) include (site_id);
create index users_of_connector_by_external_id on users (tenant_id, connector_id, list_status, external_id, id) include (site_id);
create index users_of_connector_by_start on users (tenant_id, connector_id, list_status, start_key, id) include (site_id);
create index users_of_site_by_name on users (tenant_id, site_id, list_status, name_key, id) include (connector_id);
create index users_of_site_by_external_id on users (tenant_id, site_id, list_status, external_id, id) include (connector_id);
create index users_of_site_by_start on users (tenant_id, site_id, list_status, start_key, id) include (connector_id);
-- counts; small, because equal entries are kept once
create index users_counted on users (tenant_id, site_id, connector_id, list_status);
-- how common a piece of a name is decides how a search is carried out
alter table users alter column search set statistics 1000;
