-- How fast a target is served is told from its last minutes alone.

alter table target_health drop column per_second;
