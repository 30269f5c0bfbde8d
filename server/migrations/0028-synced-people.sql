-- What a sync of selected people saw and did, person by person: what the source said, what was made of it, what each target was asked and replied.
create table synced_people (
  tenant_id uuid not null,
  run_id uuid not null,
  user_id uuid not null,
  sequence integer not null,
  -- null: nobody's record was read
  source jsonb,
  -- null: not asked yet
  targets jsonb,
  primary key (tenant_id, run_id, sequence),
  unique (tenant_id, run_id, user_id),
  foreign key (tenant_id, run_id) references runs on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index synced_people_user on synced_people (tenant_id, user_id);

insert into synced_people (tenant_id, run_id, user_id, sequence, targets)
  select
    r.tenant_id, r.run_id, r.user_id, row_number() over (partition by r.tenant_id, r.run_id order by min(r.sequence)),
    jsonb_agg(
      jsonb_build_object(
        'targetId', r.target_id, 'targetName', c.name, 'result', r.result, 'deed', r.deed, 'changes', r.changes, 'cause', r.cause,
        'detail', r.detail, 'requests', r.requests, 'desired', '[]'::jsonb
      ) order by r.sequence
    )
  from user_sync_results r
  join connectors c on c.tenant_id = r.tenant_id and c.id = r.target_id
  group by r.tenant_id, r.run_id, r.user_id;
drop table user_sync_results;
