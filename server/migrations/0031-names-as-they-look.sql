-- Names of connectors, saved views and security attributes are compared as those of sites are (0029-names-of-sites.sql): of two that look the same the
-- second gets a mark, so that somebody can tell them apart and rename it.

update connectors c set name = c.name || ' (' || right(c.id::text, 6) || ')'
from (select tenant_id, id, row_number() over (partition by tenant_id, folded_name(name) order by id) as place from connectors) n
where n.place > 1 and c.tenant_id = n.tenant_id and c.id = n.id;
update saved_views v set name = v.name || ' (' || right(v.id::text, 6) || ')'
from (select tenant_id, id, row_number() over (partition by tenant_id, admin_id, folded_name(name) order by id) as place from saved_views) n
where n.place > 1 and v.tenant_id = n.tenant_id and v.id = n.id;
-- a default attribute keeps its name; the set is saved as a whole, so that one that is too long would keep the others from being changed
update claim_fields f set display_name = left(f.display_name, 91) || ' (' || right(f.id::text, 6) || ')'
from (
  select tenant_id, id, row_number() over (partition by tenant_id, folded_name(display_name) order by field is null, position, id) as place from claim_fields
) n
where n.place > 1 and f.tenant_id = n.tenant_id and f.id = n.id;

alter table connectors drop column name_folded;
alter table connectors add column name_folded text collate "C" generated always as (folded_name(name)) stored;
alter table connectors add constraint connectors_name_unique unique (tenant_id, name_folded);
alter table saved_views drop column name_folded;
alter table saved_views add column name_folded text collate "C" generated always as (folded_name(name)) stored;
alter table saved_views add constraint saved_views_name_unique unique (tenant_id, admin_id, name_folded);
