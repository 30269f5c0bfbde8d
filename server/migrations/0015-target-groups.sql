-- Groups at targets and who belongs to them, as desired and applied state: rules write what is wanted, the worker closes the difference.

create table target_groups (
  tenant_id uuid not null,
  target_id uuid not null,
  id uuid not null,
  -- the rule that wants the group, and what the rule knows it by: it stays the same row whatever its name becomes
  origin text collate "C" not null,
  key text collate "C" not null,
  name text not null,
  name_key text collate "C" generated always as (lower(name)) stored,
  -- description, privacy, postPermission, admins (ids of people)
  settings jsonb not null default '{}',
  -- false: it is to be deleted at the target, and then the row goes
  wanted boolean not null default true,
  -- of the group itself; its members have their own
  state text not null default 'pending' check (state in ('pending', 'inStep', 'failed', 'quarantined', 'paused')),
  -- grows with whatever is wanted: an answer to what was wanted before does not make the row in step
  revision integer not null default 1,
  correlation_id text,
  -- what the target confirmed; without a remote id: what is being created
  applied_document jsonb,
  applied_hash bytea,
  applied_at timestamptz,
  remote_id text,
  -- an act was sent whose answer never came: look at the target before acting again. A lease that ran out says the same.
  uncertain boolean not null default false,
  attempts integer not null default 0,
  -- -infinity: at once; holds for the members as well
  next_try_at timestamptz not null default '-infinity',
  cause text,
  last_error text,
  leased_until timestamptz,
  lease_owner uuid,
  primary key (tenant_id, target_id, id),
  constraint target_groups_key unique (tenant_id, target_id, origin, key),
  foreign key (tenant_id, target_id) references connectors
);
-- one group of the target is never two of ours
create unique index target_groups_remote on target_groups (tenant_id, target_id, remote_id) where remote_id is not null;
create index target_groups_due on target_groups (tenant_id, target_id, next_try_at, id) where state in ('pending', 'failed', 'paused');
create index target_groups_name on target_groups (tenant_id, target_id, name_key, id);

-- A row for everybody who is wanted, or whom the target still has; whoever is neither has none.
create table target_members (
  tenant_id uuid not null,
  target_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  wanted boolean not null,
  -- the account that the target confirmed as a member
  remote_id text,
  -- waiting: wanted, and the person has no account at the target yet
  state text not null default 'pending' check (state in ('pending', 'inStep', 'waiting', 'quarantined')),
  revision integer not null default 1,
  correlation_id text,
  cause text,
  last_error text,
  primary key (tenant_id, target_id, group_id, user_id),
  foreign key (tenant_id, target_id, group_id) references target_groups on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
-- what is due, and nothing else: a million members in step cost nothing here
create index target_members_due on target_members (tenant_id, target_id, group_id, user_id) where state = 'pending';
create index target_members_user on target_members (tenant_id, user_id, target_id);

-- Accounts of members that came, went or were replaced. Written in the transaction that records the account, so that no crash comes between;
-- a list and not an update of the members, so that those who record accounts wait for nobody.
create table moved_accounts (
  tenant_id uuid not null,
  target_id uuid not null,
  seq bigint generated always as identity,
  user_id uuid not null,
  primary key (tenant_id, target_id, seq),
  foreign key (tenant_id, target_id) references connectors,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index moved_accounts_user on moved_accounts (tenant_id, user_id);

create function tell_moved_account() returns trigger language plpgsql as $$
begin
  insert into moved_accounts (tenant_id, target_id, user_id)
  select new.tenant_id, new.target_id, new.user_id
  where exists (
    select from target_members m where m.tenant_id = new.tenant_id and m.user_id = new.user_id and m.target_id = new.target_id
  ) or exists (
    select from target_groups g
    where g.tenant_id = new.tenant_id and g.target_id = new.target_id and g.settings -> 'admins' ? new.user_id::text
  );
  return null;
end $$;
create trigger target_accounts_moved after update of remote_id on target_accounts
  for each row when (old.remote_id is distinct from new.remote_id) execute function tell_moved_account();
create index target_groups_admins on target_groups using gin ((settings -> 'admins'));

-- What provisioning knows of sites, for the group of each.
create view provisioning_sites as select tenant_id, id as site_id, name, restricted, active from sites;
create view provisioning_site_people as select tenant_id, site_id, id as user_id from users where active and site_id is not null;
