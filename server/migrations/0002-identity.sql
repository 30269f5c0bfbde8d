-- Sign-in of the embedded provider: accounts, the provider's state, its signing keys.
-- With an external provider these tables stay empty.

create table identity_accounts (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  totp_secret bytea,
  totp_last_step bigint,
  failed_attempts integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  password_set_at timestamptz,
  constraint identity_accounts_email_folded check (email = lower(email) and email <> '')
);
comment on column identity_accounts.id is 'The subject (sub) of every token issued for this account.';
comment on column identity_accounts.failed_attempts is 'Attempts reserved since the last complete sign-in; reserved before the hash is computed.';
comment on column identity_accounts.totp_secret is 'Encrypted with the master key. Absent: no second factor.';
create unique index identity_accounts_email_unique on identity_accounts (email);

-- One row an artefact of the provider (session, grant, interaction, authorization code …).
create table identity_state (
  model text not null,
  id text not null,
  uid text,
  grant_id text,
  account_id text,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create unique index identity_state_uid_unique on identity_state (model, uid) where uid is not null and model = 'Session';
create index identity_state_grant on identity_state (grant_id) where grant_id is not null;
create index identity_state_account on identity_state (account_id) where account_id is not null;
create index identity_state_expires on identity_state (expires_at);

-- The password step of a two-factor sign-in that still waits for its code, by interaction.
create table identity_steps (
  interaction_uid text primary key,
  account_id uuid not null references identity_accounts (id) on delete cascade,
  expires_at timestamptz not null
);
create index identity_steps_account on identity_steps (account_id);
create index identity_steps_expires on identity_steps (expires_at);

create table identity_keys (
  kid text primary key,
  stage text not null,
  private_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  stage_since timestamptz not null,
  constraint identity_keys_stage check (stage in ('next', 'active', 'old'))
);
comment on column identity_keys.private_key is 'Encrypted with the master key.';
create unique index identity_keys_one_active on identity_keys (stage) where stage = 'active';
create unique index identity_keys_one_next on identity_keys (stage) where stage = 'next';

-- A link with which a person chooses a password: at the first start, or after a reset.
create table identity_setup_links (
  token_hash bytea primary key,
  account_id uuid not null references identity_accounts (id) on delete cascade,
  expires_at timestamptz not null
);
create index identity_setup_links_account on identity_setup_links (account_id);
create index identity_setup_links_expires on identity_setup_links (expires_at);
