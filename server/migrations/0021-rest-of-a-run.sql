-- Runs that plan again what another left alone, because its people had changed when it came to them; and what was kept twice.

-- who follows a run
create index runs_following on runs (tenant_id, (input ->> 'follows')) where input ->> 'follows' is not null;

-- the header of what a run read stands in its source_profile
drop table staged_headers;

-- a manager named by an address is found by the index that matching goes by (users_match_work_email)
drop index users_by_work_email;
