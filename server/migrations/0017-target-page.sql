-- The page of a target: how long changes take to arrive, how fast accounts are done; people synced by hand; drift.

-- since when the account is not what it should be: the oldest change that the target has not confirmed
alter table target_accounts add column marked_at timestamptz not null default now();

-- counts and lists of every state, not only of those in trouble
create index target_accounts_state on target_accounts (tenant_id, target_id, state, user_id);
drop index target_accounts_trouble;

-- How many accounts took how long, by day: bucket n holds times from 1.1^n to 1.1^(n+1) milliseconds. A ring of 28 days, so that nothing need be
-- cleared away: a slot whose day is not the one that is asked for holds nothing.
create table target_times (
  tenant_id uuid not null,
  target_id uuid not null,
  kind text not null check (kind in ('inStep', 'revoke')),
  slot smallint not null check (slot between 0 and 27),
  bucket smallint not null,
  day date not null,
  count integer not null,
  primary key (tenant_id, target_id, kind, slot, bucket),
  foreign key (tenant_id, target_id) references connectors on delete cascade
);

-- How many accounts left the backlog in each of the last minutes; a ring of an hour.
create table target_pace (
  tenant_id uuid not null,
  target_id uuid not null,
  slot smallint not null check (slot between 0 and 59),
  minute timestamptz not null,
  count integer not null,
  primary key (tenant_id, target_id, slot),
  foreign key (tenant_id, target_id) references connectors on delete cascade
);

-- What came of each account when selected people were synced by hand.
create table user_sync_results (
  tenant_id uuid not null,
  run_id uuid not null,
  sequence integer not null,
  user_id uuid not null,
  target_id uuid not null,
  result text not null,
  deed text,
  changes jsonb not null default '[]',
  cause text,
  detail text,
  primary key (tenant_id, run_id, sequence),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, target_id) references connectors on delete cascade
);
create index user_sync_results_user on user_sync_results (tenant_id, user_id);

-- When a target is read back by itself, and whether what was changed there is put back.
create table drift_settings (
  tenant_id uuid not null,
  target_id uuid not null,
  every text not null check (every in ('off', 'daily', 'weekly')),
  weekday smallint not null check (weekday between 0 and 6),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  put_back boolean not null,
  next_at timestamptz,
  primary key (tenant_id, target_id),
  foreign key (tenant_id, target_id) references connectors on delete cascade
);
create index drift_settings_due on drift_settings (next_at) where next_at is not null;

create table drift_findings (
  tenant_id uuid not null,
  run_id uuid not null,
  sequence integer not null,
  target_id uuid not null,
  kind text not null check (kind in ('changed', 'missing', 'unknown')),
  remote_id text not null,
  user_id uuid,
  -- the account as it was found, as far as it is managed; null for one that is missing
  found jsonb,
  -- attribute, applied and found
  changes jsonb not null default '[]',
  state text not null default 'open' check (state in ('open', 'accepted', 'putBack', 'linked', 'ignored')),
  decided_by jsonb,
  decided_at timestamptz,
  primary key (tenant_id, run_id, sequence),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index drift_findings_kind on drift_findings (tenant_id, run_id, kind, state, sequence);
create index drift_findings_user on drift_findings (tenant_id, user_id) where user_id is not null;

-- Accounts whose drift nobody wants to hear of any more.
create table drift_ignored (
  tenant_id uuid not null,
  target_id uuid not null,
  remote_id text collate "C" not null,
  by jsonb not null,
  at timestamptz not null,
  primary key (tenant_id, target_id, remote_id),
  foreign key (tenant_id, target_id) references connectors on delete cascade
);

-- Accounts that a read-back has met; a run that was cut short reads them again.
create unlogged table drift_seen (
  tenant_id uuid not null,
  run_id uuid not null,
  remote_id text collate "C" not null,
  primary key (tenant_id, run_id, remote_id)
);
