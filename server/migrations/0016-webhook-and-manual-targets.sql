-- Targets that are told (webhook) and targets that people write to (manual).

-- What the receiver of a webhook took of each person, and the event that is under way: written before it is sent, so that it is the same one however
-- often it is tried. A row stays when the account is gone, because the next event must have a larger number.
create table webhook_deliveries (
  tenant_id uuid not null,
  target_id uuid not null,
  user_id uuid not null,
  -- of the last event that was begun, and of the last that was taken
  sequence bigint not null,
  acknowledged bigint not null default 0,
  -- what was taken last; null: nothing, or that the account is gone
  document jsonb,
  -- id, type, document and body of an event that was not taken so far
  message_id text,
  message_type text,
  message_document jsonb,
  message_body text,
  primary key (tenant_id, user_id, target_id),
  foreign key (tenant_id, target_id) references connectors,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index webhook_deliveries_target on webhook_deliveries (tenant_id, target_id);

-- What a person is asked to do at a target that cannot be written to. Of an account at most one is open: it always says what is wanted now.
create table target_tasks (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('create', 'update', 'disable', 'enable', 'delete')),
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'withdrawn', 'undone')),
  -- grows whenever what is wanted changes
  revision integer not null default 1,
  -- what the account should be; null: gone
  document jsonb,
  -- what was confirmed last, and how the account is called; null: there is none
  confirmed jsonb,
  confirmed_remote_id text,
  assigned_to uuid,
  assigned_name text,
  comment text,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  account_name text,
  reason text,
  closed_at timestamptz,
  closed_by jsonb,
  primary key (tenant_id, id),
  foreign key (tenant_id, target_id) references connectors,
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (assigned_to) references admins on delete set null
);
create unique index target_tasks_one on target_tasks (tenant_id, target_id, user_id) where state = 'open';
create index target_tasks_state on target_tasks (tenant_id, state, id);
create index target_tasks_target on target_tasks (tenant_id, target_id, state, id);
create index target_tasks_user on target_tasks (tenant_id, user_id);
create index target_tasks_assigned on target_tasks (assigned_to) where assigned_to is not null;

-- What tasks know of people, targets and administrators: their own views, so that they stand above all three.
create view task_people as
  select tenant_id, id as user_id, connector_id, site_id, display_name, coalesce(employee_number, external_id) as employee_id from users;

create view task_targets as
  select tenant_id, id as target_id, name, permissions, properties ->> 'instructions' as instructions from connectors where kind = 'target';

create view task_assignees as
  select tenant_id, id as admin_id, name, roles from admins where disabled_at is null;
