-- Start and end dates that act, and references to managers that are found when the manager arrives.

alter table plan_rows drop constraint plan_rows_kind_check;
alter table plan_rows add constraint plan_rows_kind_check
  check (kind in ('create', 'update', 'deactivate', 'reactivate', 'future', 'leave', 'conflict', 'invalid'));

-- Where the dates have put somebody: `base` says it in its member `employment`, in the same write as `active`. Somebody who is off for another
-- reason has left, and no date brings them back.
alter table users
  add column employment_state text not null generated always as (
    case when base ? 'employment' then base ->> 'employment' when base ->> 'active' = 'false' then 'left' else 'employed' end
  ) stored;
create index users_starting on users (tenant_id, start_date) where employment_state = 'notStarted';
create index users_ending on users (tenant_id, end_date) where end_date is not null and employment_state in ('employed', 'notStarted');
create index users_ended on users (tenant_id, end_date) where employment_state = 'ended';

-- How many people of a connector the dates have switched off, pass by pass: what the guard measures a day by.
create table date_passes (
  tenant_id uuid not null,
  id uuid not null,
  connector_id uuid not null,
  at timestamptz not null,
  ended integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references connectors
);
create index date_passes_connector on date_passes (tenant_id, connector_id, at);

-- A connector whose end dates wait, because more people would go than the guard lets go. `allowed`: so many may go, an administrator said.
create table date_holds (
  tenant_id uuid not null,
  connector_id uuid not null,
  held jsonb not null,
  ending integer not null,
  held_at timestamptz not null,
  allowed integer,
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors
);

-- Who is meant by what a person's `manager` says. A table of its own, because what is found changes no value of the person, and is found when
-- other people change. No foreign key on manager_id: it would lock people in an order of its own.
create table manager_references (
  tenant_id uuid not null,
  user_id uuid not null,
  connector_id uuid not null,
  value text not null,
  value_key text collate "C" not null generated always as (lower(value)) stored,
  reference_type text,
  manager_id uuid,
  -- how many people the value could mean; null: nobody has looked yet
  candidates integer,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index manager_references_value on manager_references (tenant_id, value_key);
create index manager_references_manager on manager_references (tenant_id, manager_id) where manager_id is not null;
create index manager_references_open on manager_references (tenant_id, connector_id, user_id) where manager_id is null;
create index manager_references_new on manager_references (tenant_id, user_id) where candidates is null;
-- what a reference may name a person by; an index that begins with the connector is left for a worse one while the planner knows the table badly
create index users_by_external_id on users (tenant_id, external_id);
create index users_by_employee_number on users (tenant_id, employee_number) where employee_number is not null;
create index users_by_work_email on users (tenant_id, lower(work_email)) where work_email is not null;

insert into manager_references (tenant_id, user_id, connector_id, value, reference_type)
select tenant_id, id, connector_id, manager, manager_reference_type from users where manager is not null;

-- Circles of managers that a run has left behind, for its page.
create table manager_cycles (
  tenant_id uuid not null,
  run_id uuid not null,
  position integer not null,
  -- [{ id, name }], each reporting to the next, the last to the first
  people jsonb not null,
  primary key (tenant_id, run_id, position),
  foreign key (tenant_id, run_id) references runs on delete cascade
);
