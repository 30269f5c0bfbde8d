-- Matching: whom a record that is not linked may be, and what somebody answered about it.

-- How values are compared: both forms drop what a person would not see. An identifier also loses punctuation and leading zeros; an address keeps
-- its plus-tag, because two tags are two mailboxes. Nothing left is no value. Exact and case-folded comparisons narrow what these forms find.
create function match_text(value text) returns text language sql immutable parallel safe as
  $$ select nullif(lower(btrim(value collate "default")), '') $$;
create function match_id(value text) returns text language sql immutable parallel safe as
  $$ select nullif(ltrim(translate(lower(btrim(value collate "default")), ' -_./\,:;#''"()+*&', ''), '0'), '') $$;

create index users_match_external_id on users (tenant_id, match_id(external_id));
create index users_match_employee_number on users (tenant_id, match_id(employee_number)) where employee_number is not null;
create index users_match_reference on users (tenant_id, match_id(external_reference_id)) where external_reference_id is not null;
create index users_match_user_name on users (tenant_id, match_id(user_name)) where user_name is not null;
create index users_match_work_email on users (tenant_id, match_text(work_email)) where work_email is not null;
create index users_match_personal_email on users (tenant_id, match_text(personal_email)) where personal_email is not null;
create index users_match_phone on users (tenant_id, personal_phone) where personal_phone is not null;
create index users_match_birth on users (tenant_id, date_of_birth) where date_of_birth is not null;

-- A record of a source that a person has to decide about; the answer is remembered.
create table match_cases (
  tenant_id uuid not null,
  id uuid not null,
  connector_id uuid not null,
  source_key text collate "C" not null,
  kind text not null check (
    kind in ('ambiguous', 'claimed', 'adopt', 'otherConnector', 'contradicts', 'rehire', 'contractorToEmployee', 'samePerson')
  ),
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  display_name text not null,
  employee_id text not null,
  -- the record: `raw`, pairs of column and text as they came; `values`, what the mapping made of them
  record jsonb not null,
  -- whom it may be, as the run found them
  candidates jsonb not null,
  run_id uuid not null,
  row_number integer not null,
  decision text check (decision in ('link', 'create', 'ignore')),
  user_id uuid,
  decided_by jsonb,
  decided_at timestamptz,
  reason text,
  -- what a link replaced, so that the answer can be taken back
  before jsonb,
  closed_because text check (closed_because in ('recordGone', 'settled')),
  closed_at timestamptz,
  opened_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references connectors
);
create unique index match_cases_one on match_cases (tenant_id, connector_id, source_key) where state <> 'closed';
create index match_cases_state on match_cases (tenant_id, state, id);

-- the case that a conflict waits for
alter table plan_rows add column case_id uuid;
