-- Names of sites and of site groups are kept with one space between words; two that would be the same then stay as they are, for somebody to rename one.
-- The groups that targets have of the sites follow, as they do for whoever renames a site.

with renamed as (
  update sites s set name = n.tidy
  from (
    select tenant_id, id, tidy, row_number() over (partition by tenant_id, lower(tidy) order by name <> tidy, id) as place
    from (
      select tenant_id, id, name, btrim(regexp_replace(name, '[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')) as tidy
      from sites
    ) k
  ) n
  where n.place = 1 and s.tenant_id = n.tenant_id and s.id = n.id and s.name <> n.tidy
  returning s.tenant_id, s.id, s.name, s.active
)
update target_groups g set
  name = r.name, state = 'pending', revision = g.revision + 1, correlation_id = null, attempts = 0, next_try_at = '-infinity', cause = null,
  last_error = null
from renamed r
where r.active and g.tenant_id = r.tenant_id and g.origin = 'site' and g.key = r.id::text;

update site_groups g set name = n.tidy
from (
  select tenant_id, id, tidy, row_number() over (partition by tenant_id, lower(tidy) order by name <> tidy, id) as place
  from (
    select tenant_id, id, name, btrim(regexp_replace(name, '[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')) as tidy
    from site_groups
  ) k
) n
where n.place = 1 and g.tenant_id = n.tenant_id and g.id = n.id and g.name <> n.tidy;
