-- How many people the lists hold, known without walking them. Whatever writes people appends what it changed, at their site and at the tenant as a
-- whole; a sum answers, as exact as the people themselves. Appended only, so that two writers never wait for each other; a job folds the rows.
create table people_counts (
  tenant_id uuid not null,
  -- a site, or the tenant's own id: everywhere, people without a site included
  place_id uuid not null,
  connector_id uuid not null,
  list_status smallint not null,
  people integer not null
);

create function count_people_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into people_counts
    select g.tenant_id, p.id, g.connector_id, g.list_status, count(*)
    from gained g cross join lateral (values (g.site_id), (g.tenant_id)) as p (id)
    where p.id is not null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into people_counts
    select l.tenant_id, p.id, l.connector_id, l.list_status, -count(*)
    from lost l cross join lateral (values (l.site_id), (l.tenant_id)) as p (id)
    where p.id is not null group by 1, 2, 3, 4;
  else
    insert into people_counts
    select c.tenant_id, p.id, c.connector_id, c.list_status, sum(c.people)
    from (
      select tenant_id, site_id, connector_id, list_status, 1 as people from gained
      union all select tenant_id, site_id, connector_id, list_status, -1 from lost
    ) c cross join lateral (values (c.site_id), (c.tenant_id)) as p (id)
    where p.id is not null group by 1, 2, 3, 4 having sum(c.people) <> 0;
  end if;
  return null;
end $$;

create trigger users_counted_insert after insert on users referencing new table as gained
  for each statement execute function count_people_changed();
create trigger users_counted_update after update on users referencing old table as lost new table as gained
  for each statement execute function count_people_changed();
create trigger users_counted_delete after delete on users referencing old table as lost
  for each statement execute function count_people_changed();

insert into people_counts
select u.tenant_id, p.id, u.connector_id, u.list_status, count(*)
from users u cross join lateral (values (u.site_id), (u.tenant_id)) as p (id)
where p.id is not null group by 1, 2, 3, 4;

create index people_counts_place on people_counts (tenant_id, place_id, connector_id, list_status) include (people);

-- only counts read it
drop index users_counted;
