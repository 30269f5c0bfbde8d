-- A change of somebody's title touches no index: with room for the new version on the page of the old one, PostgreSQL writes that page alone
-- (a heap-only tuple) and none of the table's two dozen indexes. A person takes about a kilobyte, a link a tenth of that. Holds for pages filled
-- from now on; those that are full make room as their people change.

alter table users set (fillfactor = 85);
alter table source_links set (fillfactor = 90);
