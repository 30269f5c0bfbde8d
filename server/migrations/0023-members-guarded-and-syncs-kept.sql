-- Taking people out of groups at a target asks the guard of the target, as removing accounts does.
alter table target_members drop constraint target_members_state_check;
alter table target_members add constraint target_members_state_check
  check (state in ('pending', 'inStep', 'waiting', 'quarantined', 'held'));
-- passed: the guard has counted it and let it pass; approved: a person has agreed; rejected: a person has not
alter table target_members add column removal text check (removal in ('passed', 'approved', 'rejected'));
create index target_members_held on target_members (tenant_id, target_id, group_id, user_id) where state = 'held';
-- held: its deletion would take its members out, and that waits for a person
alter table target_groups drop constraint target_groups_state_check;
alter table target_groups add constraint target_groups_state_check
  check (state in ('pending', 'inStep', 'failed', 'quarantined', 'paused', 'held'));

-- How many members the guard of a target let be taken out; the rows of members themselves go when they are. Older ones than a day are cleared away
-- by whoever adds the next.
create table target_member_removals (
  tenant_id uuid not null,
  target_id uuid not null,
  at timestamptz not null,
  members integer not null,
  foreign key (tenant_id, target_id) references connectors on delete cascade
);
create index target_member_removals_at on target_member_removals (tenant_id, target_id, at);

-- until when the source keeps somebody: no target deletes earlier
create or replace view provisioning_leavers as
  select
    u.tenant_id, u.id as user_id, coalesce(u.deactivated_at, u.updated_at) as left_at,
    case
      when u.vip then 'PROTECTED_VIP'
      when exists (
        select from admins a
        where lower(a.email) = lower(u.work_email) and (a.tenant_id = u.tenant_id or a.tenant_id is null) and a.disabled_at is null
      ) then 'PROTECTED_ADMIN'
      when exists (select from protected_people p where p.tenant_id = u.tenant_id and p.user_id = u.id) then 'PROTECTED_LISTED'
    end as protection,
    u.connector_id, k.kept_until
  from users u
  left join leavers k on k.tenant_id = u.tenant_id and k.user_id = u.id
  where not u.active;

-- What of an account at a target may differ from what the person says, value by value, because somebody has accepted it. A row goes as soon as either side
-- has another value.
create table drift_accepted (
  tenant_id uuid not null,
  target_id uuid not null,
  user_id uuid not null,
  -- the attribute, and within it the member; empty: there is no account, and none is made
  path text[] not null,
  -- what we would write, and what is there
  ours jsonb,
  theirs jsonb,
  by jsonb not null,
  at timestamptz not null,
  primary key (tenant_id, target_id, user_id, path),
  foreign key (tenant_id, target_id) references connectors on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index drift_accepted_user on drift_accepted (tenant_id, user_id);

-- what each target was asked and replied when selected people were synced
alter table user_sync_results add column requests jsonb not null default '[]';
