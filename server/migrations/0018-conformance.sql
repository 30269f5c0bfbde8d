-- What a target was found to support when it was tried. The run says how it went; this says what was found, and which accounts were made for it.
create table conformance_checks (
  tenant_id uuid not null,
  run_id uuid not null,
  target_id uuid not null,
  -- of the throw-away account; written before it is made
  user_name text not null,
  -- ids of accounts at the target, each written before anything else is done with it
  made text[] not null default '{}',
  results jsonb not null default '[]',
  discovery jsonb,
  fitting jsonb,
  left_overs jsonb not null default '[]',
  primary key (tenant_id, run_id),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, target_id) references connectors
);
create index conformance_checks_target on conformance_checks (tenant_id, target_id, run_id);
