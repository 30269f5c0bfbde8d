-- What is done at a target, how fast, and what asks a person first. A target without a row goes by the defaults of the contract.
create table target_policies (
  tenant_id uuid not null,
  target_id uuid not null,
  -- contract/src/target-policy.ts
  policy jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, target_id),
  foreign key (tenant_id, target_id) references connectors
);

-- what becomes of leavers was a property of the SCIM client; deleting at once is deleting after no days
insert into target_policies (tenant_id, target_id, policy)
select tenant_id, id, '{"leaver": {"action": "delete", "graceDays": 0}}'
from connectors where kind = 'target' and properties ->> 'leaver' = 'delete';
update connectors set properties = properties - 'leaver' where kind = 'target' and properties ? 'leaver';

-- Whether a target works and how fast it takes accounts, as the worker found that served it last.
create table target_health (
  tenant_id uuid not null,
  target_id uuid not null,
  paused_since timestamptz,
  paused_until timestamptz,
  cause text,
  detail text,
  -- accounts brought to an answer in a second
  per_second double precision,
  primary key (tenant_id, target_id),
  foreign key (tenant_id, target_id) references connectors
);

-- Removals at a target that waited for a person. One that is not decided holds every further removal there.
create table target_removal_holds (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  kind text not null check (kind in ('accounts', 'members')),
  held_at timestamptz not null,
  -- how many would have been removed in 24 hours, of how many, and how many may be
  wanted integer not null,
  allowed integer not null,
  population integer not null,
  decided_at timestamptz,
  -- lapsed: nothing was left to decide
  decision text check (decision in ('approved', 'rejected', 'lapsed')),
  decided_by jsonb,
  reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, target_id) references connectors
);
create unique index target_removal_holds_open on target_removal_holds (tenant_id, target_id, kind) where decided_at is null;

-- protected: is never touched. held: the removal waits for a person. leaving: disabled, and deleted at next_try_at.
alter table target_accounts drop constraint target_accounts_state_check;
alter table target_accounts add constraint target_accounts_state_check
  check (state in ('pending', 'inStep', 'failed', 'quarantined', 'paused', 'protected', 'held', 'leaving'));
alter table target_accounts
  -- how far the account may be removed: disable, delete; approved: as far as the policy says, a person has agreed; rejected: a person has not
  add column removal text check (removal in ('disable', 'delete', 'approved', 'rejected')),
  -- when the guard let the removal pass; null where a person has decided
  add column removal_at timestamptz;
create index target_accounts_removed on target_accounts (tenant_id, target_id, removal_at) where removal_at is not null;
create index target_accounts_held on target_accounts (tenant_id, target_id, user_id) where state = 'held';
drop index target_accounts_due;
create index target_accounts_due on target_accounts (tenant_id, target_id, next_try_at, user_id)
  where state in ('pending', 'failed', 'paused', 'leaving', 'protected');

-- whoever was disabled before is not removed anew
update target_accounts a set removal = 'disable'
from users u
where u.tenant_id = a.tenant_id and u.id = a.user_id and not u.active and a.remote_id is not null and a.state = 'inStep';

-- People who are not active: since when, and why their accounts are spared all the same.
create view provisioning_leavers as
  select
    u.tenant_id, u.id as user_id, coalesce(u.deactivated_at, u.updated_at) as left_at,
    case
      when u.vip then 'PROTECTED_VIP'
      when exists (
        select from admins a
        where lower(a.email) = lower(u.work_email) and (a.tenant_id = u.tenant_id or a.tenant_id is null) and a.disabled_at is null
      ) then 'PROTECTED_ADMIN'
      when exists (select from protected_people p where p.tenant_id = u.tenant_id and p.user_id = u.id) then 'PROTECTED_LISTED'
    end as protection
  from users u
  where not u.active;

create view provisioning_managers as
  select tenant_id, user_id, manager_id from manager_references where manager_id is not null;
