-- SCIM 2.0 in: what an identity system or HR system has pushed to a connector, and the tokens it pushes with. The sync reads the stored users as
-- its source; nothing here is a person of the directory yet.

-- One row a connector. Every writing transaction locks it first, so that `change` counts commits in order: a reader that saw 7 has seen all up to 7.
create table scim_feeds (
  tenant_id uuid not null,
  connector_id uuid not null,
  change bigint not null default 0,
  last_push_at timestamptz,
  last_error jsonb,
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors
);

-- `resource` is what is answered; `search` the same with folded names and texts, for filters. Folding is done by the program, not here: the filter
-- of a PATCH path is decided by the program too, and both must agree on every letter.
create table scim_users (
  tenant_id uuid not null,
  connector_id uuid not null,
  id uuid not null,
  user_name_folded text collate "C" not null,
  external_id text collate "C",
  active boolean not null,
  resource jsonb not null,
  search jsonb not null,
  version integer not null default 1,
  change bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, connector_id, id),
  constraint scim_users_name_unique unique (tenant_id, connector_id, user_name_folded),
  foreign key (tenant_id, connector_id) references connectors
);
create index scim_users_external_id on scim_users (tenant_id, connector_id, external_id) where external_id is not null;
create index scim_users_inactive on scim_users (tenant_id, connector_id) where not active;
create index scim_users_search on scim_users using gin (search jsonb_path_ops);

create table scim_groups (
  tenant_id uuid not null,
  connector_id uuid not null,
  id uuid not null,
  name_folded text collate "C" not null,
  external_id text collate "C",
  resource jsonb not null,
  search jsonb not null,
  version integer not null default 1,
  change bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, connector_id, id),
  foreign key (tenant_id, connector_id) references connectors
);
create index scim_groups_name on scim_groups (tenant_id, connector_id, name_folded);
create index scim_groups_external_id on scim_groups (tenant_id, connector_id, external_id) where external_id is not null;

create table scim_group_members (
  tenant_id uuid not null,
  connector_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (tenant_id, connector_id, group_id, user_id),
  foreign key (tenant_id, connector_id, group_id) references scim_groups on delete cascade,
  foreign key (tenant_id, connector_id, user_id) references scim_users on delete cascade
);
create index scim_group_members_user on scim_group_members (tenant_id, connector_id, user_id);

-- `hash` is a keyed hash (HMAC-SHA-256); the token itself is shown once and kept nowhere.
create table scim_tokens (
  tenant_id uuid not null,
  connector_id uuid not null,
  id uuid not null,
  label text not null,
  hash text collate "C" not null,
  created_by jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, connector_id, id),
  constraint scim_tokens_hash_unique unique (hash),
  foreign key (tenant_id, connector_id) references connectors
);

-- the newest pushes of one connector
create index events_scim on events (tenant_id, connector_id, id) where type like 'scim.%';
