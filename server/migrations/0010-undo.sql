-- Taking back what a run did, and trying a configuration on what was read last.

-- Overrides that dropped out because a run made the source say the same; whoever undoes the run gets them back.
create table caught_up_overrides (
  tenant_id uuid not null,
  run_id uuid not null,
  user_id uuid not null,
  field text not null,
  value jsonb,
  by jsonb not null,
  at timestamptz not null,
  reason text,
  until timestamptz,
  primary key (tenant_id, run_id, user_id, field),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index caught_up_overrides_user on caught_up_overrides (tenant_id, user_id);

-- where people worked that their location did not name, before a run gave them another location
create table sites_before_runs (
  tenant_id uuid not null,
  run_id uuid not null,
  user_id uuid not null,
  site_id uuid,
  primary key (tenant_id, run_id, user_id),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, site_id) references sites on delete cascade
);
create index sites_before_runs_user on sites_before_runs (tenant_id, user_id);
create index sites_before_runs_site on sites_before_runs (tenant_id, site_id);

-- who undoes a run
create index runs_undoing on runs (tenant_id, (input ->> 'undoes')) where input ->> 'undoes' is not null;

-- The names of the columns of what a run staged. Unlogged like the records themselves, so that a crash empties both.
create unlogged table staged_headers (
  tenant_id uuid not null,
  run_id uuid not null,
  header json not null,
  primary key (tenant_id, run_id)
);
