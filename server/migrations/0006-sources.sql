-- What is known of a source that is fetched, and when it is fetched by itself.

create table source_states (
  tenant_id uuid not null,
  connector_id uuid not null,
  -- of the last fetch whose run was applied; only then it moves
  watermark jsonb,
  -- of the last fetch that brought something, applied or not: the same again is no news
  seen jsonb,
  last_fetch_at timestamptz,
  last_data_at timestamptz,
  -- why the last fetch failed; null when it did not
  last_error jsonb,
  -- what is still to be put aside at the source; written before the act
  settle_due jsonb,
  -- the key of the server as somebody looked at it, and the place that it belongs to
  host_key jsonb,
  -- the alarm of this silence was given then
  silent_since timestamptz,
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors
);

create table source_schedules (
  tenant_id uuid not null,
  connector_id uuid not null,
  -- five fields, in the time zone
  cron text not null,
  time_zone text not null,
  enabled boolean not null,
  -- whether a plan without anything to hold it is applied by itself
  apply text not null check (apply in ('approval', 'automatic')),
  -- silence is measured from here where nothing has come yet
  enabled_at timestamptz not null,
  next_at timestamptz,
  last_started_at timestamptz,
  -- when and why it was not started the last time; null once it was
  skipped jsonb,
  -- quick second tries after a failure that may pass
  retries integer not null default 0,
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors
);
create index source_schedules_due on source_schedules (next_at) where enabled;
