-- Figures of a target with a million accounts without counting them, and members told of moved accounts by the batch.

-- How many accounts a target has in each state, and of those in trouble with which cause: the sum of `accounts`. Kept as `people_counts` are:
-- appended by whatever moves accounts, so that two writers never wait for each other; the same job folds the rows.
create table target_counts (
  tenant_id uuid not null,
  target_id uuid not null,
  state text not null,
  cause text,
  accounts integer not null
);
create index target_counts_target on target_counts (tenant_id, target_id, state, cause) include (accounts);

-- One function for all three: what was, and what is now. Plans are kept that were made for one row and for empty tables: so sets are compared and
-- not joined, and members are looked up by their index.
create function follow_target_accounts() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into target_counts
    select tenant_id, target_id, state, case when state in ('failed', 'quarantined', 'paused') then cause end, count(*)
    from is_now group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into target_counts
    select tenant_id, target_id, state, case when state in ('failed', 'quarantined', 'paused') then cause end, -count(*)
    from was group by 1, 2, 3, 4;
  else
    insert into target_counts
    select tenant_id, target_id, state, case when state in ('failed', 'quarantined', 'paused') then cause end, sum(change)
    from (
      select tenant_id, target_id, state, cause, 1 as change from is_now
      union all
      select tenant_id, target_id, state, cause, -1 from was
    ) moves
    group by 1, 2, 3, 4 having sum(change) <> 0;
    insert into moved_accounts (tenant_id, target_id, user_id)
    select tenant_id, target_id, user_id
    from (
      select tenant_id, target_id, user_id, remote_id from is_now
      except
      select tenant_id, target_id, user_id, remote_id from was
    ) moved
    where coalesce(
      (select true from target_members m
        where m.tenant_id = moved.tenant_id and m.user_id = moved.user_id and m.target_id = moved.target_id limit 1),
      (select true from target_groups g
        where g.tenant_id = moved.tenant_id and g.target_id = moved.target_id and g.settings -> 'admins' ? moved.user_id::text limit 1),
      false
    );
  end if;
  return null;
end $$;

-- one call for each statement; it was one for each account
drop trigger target_accounts_moved on target_accounts;
drop function tell_moved_account();
create trigger target_accounts_added after insert on target_accounts
  referencing new table as is_now for each statement execute function follow_target_accounts();
create trigger target_accounts_changed after update on target_accounts
  referencing old table as was new table as is_now for each statement execute function follow_target_accounts();
create trigger target_accounts_removed after delete on target_accounts
  referencing old table as was for each statement execute function follow_target_accounts();

create function forget_target_counts() returns trigger language plpgsql as $$
begin
  delete from target_counts;
  return null;
end $$;
create trigger target_accounts_emptied after truncate on target_accounts for each statement execute function forget_target_counts();

insert into target_counts
select tenant_id, target_id, state, case when state in ('failed', 'quarantined', 'paused') then cause end, count(*)
from target_accounts group by 1, 2, 3, 4;

-- one account of each cause as an example, and all of a cause to be tried again
create index target_accounts_cause on target_accounts (tenant_id, target_id, cause, user_id) where state in ('failed', 'quarantined', 'paused');

-- Everybody is to be looked at again at a target that has many people: done in chunks, by person, so that no call waits for a million rows.
create table target_markings (
  tenant_id uuid not null,
  target_id uuid not null,
  correlation_id text not null,
  -- people up to this one are marked
  after_user uuid not null,
  done integer not null,
  primary key (tenant_id, target_id),
  foreign key (tenant_id, target_id) references connectors on delete cascade
);

-- What provisioning knows of how many people a tenant has.
create view provisioning_people as
  select tenant_id, sum(people)::integer as people from people_counts where place_id = tenant_id group by tenant_id;
