-- The guard: what a source looked like, everything that was found about a run, people who are never deactivated by a sync.

alter table runs
  -- what the source looked like, for the next run to compare with: rows, encoding, header, how full each mapped column is
  add column source_profile jsonb,
  -- all reasons why the run is held (`held` is the gravest), and what was only noted
  add column findings jsonb not null default '{}';

create table protected_people (
  tenant_id uuid not null,
  connector_id uuid not null,
  user_id uuid not null,
  reason text not null,
  created_by jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, connector_id, user_id),
  foreign key (tenant_id, connector_id) references connectors,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index protected_people_user on protected_people (tenant_id, user_id);

-- an administrator among the people is found by the work e-mail; the others are not in the index
create index admins_email on admins (tenant_id, lower(email));
