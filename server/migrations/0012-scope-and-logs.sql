-- Of a person who is away: that the record was there and out of scope, so that coming back into scope can be told from coming back into the file.
-- Null, as for links from before: not known, taken for the file.
alter table source_links add column left_scope boolean;

-- What happened to administrators and what they did, newest first, however much else happened.
create index events_admins on events (tenant_id, id) where stream = 'admin' or actor ->> 'kind' = 'admin';
