-- Placement by rules, leavers that are kept for a while, and messages to administrators.

-- what HR calls a site, for placement rules that go by a site column
alter table sites add column external_code text;

-- What keeps somebody whose site was not told by their location: `base` says in its member `placement` where the rules of the source have put them,
-- the site's id or "none".

-- People who were deactivated, and until when their source's configuration keeps them; nobody is due before. The one place where the grace period
-- is added up in SQL; whoever removes anything reads it.
create view leavers as
  select u.tenant_id, u.id as user_id, u.connector_id, u.deactivated_at,
    u.deactivated_at + coalesce((v.config -> 'grace' ->> 'days')::integer, 30) * interval '24 hours' as kept_until
  from users u
  join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id
  left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id and v.version = c.config_version
  where not u.active and u.deactivated_at is not null;

-- What is to be told to somebody: the outbox. A message is written in the transaction of what it tells of, sent by whoever claims it, and stays
-- readable; words are made from `template` and `params` when it is sent or shown.
create table messages (
  tenant_id uuid not null references tenants,
  id uuid not null,
  template text not null,
  channel text not null check (channel in ('email')),
  -- the administrator it is for; the address is kept as it was, because what was sent does not change with it
  admin_id uuid references admins on delete set null,
  recipient_name text not null,
  address text not null,
  locale text not null,
  params jsonb not null,
  correlation_id text not null,
  -- kept: there was no way of sending it
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  next_try_at timestamptz,
  last_error text,
  -- the same occasion is told once to each
  idempotency_key text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (tenant_id, id),
  constraint messages_once unique (tenant_id, idempotency_key)
);
create index messages_due on messages (next_try_at) where state = 'pending';
