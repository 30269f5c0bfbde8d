-- Names of sites and of site groups are kept as they are written and compared with one space wherever white space stands, because nobody sees how much of
-- it there is. Of two that look the same the second gets a mark, so that somebody can tell them apart and rename it.

-- white space as JavaScript sees it, whatever the database's locale: the twin of foldedName
create function folded_name(name text) returns text language sql immutable parallel safe as
  $$ select lower(btrim(regexp_replace(name collate "default", '[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'))) $$;

update sites s set name = s.name || ' (' || right(s.id::text, 6) || ')'
from (select tenant_id, id, row_number() over (partition by tenant_id, folded_name(name) order by id) as place from sites) n
where n.place > 1 and s.tenant_id = n.tenant_id and s.id = n.id;
update site_groups g set name = g.name || ' (' || right(g.id::text, 6) || ')'
from (select tenant_id, id, row_number() over (partition by tenant_id, folded_name(name) order by id) as place from site_groups) n
where n.place > 1 and g.tenant_id = n.tenant_id and g.id = n.id;

alter table sites drop column name_folded;
alter table sites add column name_folded text collate "C" generated always as (folded_name(name)) stored;
alter table sites add constraint sites_name_unique unique (tenant_id, name_folded);
alter table site_groups drop column name_folded;
alter table site_groups add column name_folded text collate "C" generated always as (folded_name(name)) stored;
alter table site_groups add constraint site_groups_name_unique unique (tenant_id, name_folded);
