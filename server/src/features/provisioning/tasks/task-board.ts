import type { ConfirmedAccount, Task, TaskBoard } from '@instep/connectors/manual-target/task-board.ts'
import { type RawBuilder, sql } from 'kysely'
import { recordEvents } from '../../../platform/audit/record-event.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import type { TargetKey } from '../account.store.ts'

const SYSTEM = { kind: 'system', id: null, name: 'Instep' } as const

interface Asked {
  readonly id: string
  readonly revision: number
  readonly user: string
  readonly target: string
  readonly correlationId: string | null
}

interface Boarding {
  readonly db: Db
  readonly clock: Clock
  readonly key: TargetKey
}

/** What people are asked to do at one manual target, in the database. */
export const taskBoard = (db: Db, clock: Clock, key: TargetKey): TaskBoard => ({
  confirmed: (account) =>
    findConfirmed(db, key, 'userId' in account ? sql`user_id = ${account.userId}` : sql`remote_id = ${account.remoteId}`),
  ask: (task) => ask({ db, clock, key }, task),
  settle: () => settle({ db, clock, key }),
})

const findConfirmed = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  named: RawBuilder<unknown>,
): Promise<ConfirmedAccount | undefined> => {
  const { rows } = await sql<ConfirmedAccount>`
    select user_id as "userId", remote_id as "remoteId", applied_document as document
    from target_accounts
    where tenant_id = ${tenantId} and target_id = ${targetId} and ${named} and remote_id is not null and applied_document is not null`.execute(
    db,
  )
  return rows[0]
}

const ask = ({ db, clock, key }: Boarding, { userId, kind, document, confirmed }: Task): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, targetId } = key
    const at = clock.now()
    const wanted = document && JSON.stringify(document)
    const before = confirmed ? JSON.stringify(confirmed.document) : null
    const { rows } = await sql<Asked>`
      with asked as (
        insert into target_tasks as t (
          tenant_id, id, target_id, user_id, kind, document, confirmed, confirmed_remote_id, opened_at, changed_at
        )
        values (
          ${tenantId}, ${uuidv7(at.getTime())}, ${targetId}, ${userId}, ${kind}, ${wanted}::jsonb, ${before}::jsonb,
          ${confirmed?.remoteId ?? null}, ${at}, ${at}
        )
        on conflict (tenant_id, target_id, user_id) where state = 'open' do update set
          kind = excluded.kind, document = excluded.document, confirmed = excluded.confirmed,
          confirmed_remote_id = excluded.confirmed_remote_id, revision = t.revision + 1, changed_at = excluded.changed_at
        where (t.kind, t.document, t.confirmed) is distinct from (excluded.kind, excluded.document, excluded.confirmed)
        returning t.id, t.revision
      )
      select asked.id, asked.revision, p.display_name as "user", g.name as target, a.correlation_id as "correlationId"
      from asked
      join task_people p on p.tenant_id = ${tenantId} and p.user_id = ${userId}
      join task_targets g on g.tenant_id = ${tenantId} and g.target_id = ${targetId}
      left join target_accounts a on a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.target_id = ${targetId}`.execute(tx)
    await recordEvents(
      tx,
      rows.map(({ revision, user, target, correlationId }) => ({
        tenantId,
        at,
        stream: 'user' as const,
        type: revision === 1 ? 'target.task.opened' : 'target.task.changed',
        correlationId: correlationId ?? uuidv7(at.getTime()),
        actor: SYSTEM,
        subjectId: userId,
        connectorId: targetId,
        data: { user, target, kind },
      })),
    )
  })

const settle = ({ db, clock, key: { tenantId, targetId } }: Boarding): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const at = clock.now()
    const { rows } = await sql<Omit<Asked, 'id' | 'revision'> & { userId: string }>`
      with settled as (
        update target_tasks t set state = 'withdrawn', closed_at = ${at}, closed_by = ${JSON.stringify(SYSTEM)}::jsonb
        from target_accounts a
        where t.tenant_id = ${tenantId} and t.target_id = ${targetId} and t.state = 'open'
          and a.tenant_id = t.tenant_id and a.user_id = t.user_id and a.target_id = t.target_id and a.state = 'inStep'
        returning t.user_id, a.correlation_id
      )
      select s.user_id as "userId", p.display_name as "user", g.name as target, s.correlation_id as "correlationId"
      from settled s
      join task_people p on p.tenant_id = ${tenantId} and p.user_id = s.user_id
      join task_targets g on g.tenant_id = ${tenantId} and g.target_id = ${targetId}`.execute(tx)
    await recordEvents(
      tx,
      rows.map(({ userId, user, target, correlationId }) => ({
        tenantId,
        at,
        stream: 'user' as const,
        type: 'target.task.withdrawn',
        correlationId: correlationId ?? uuidv7(at.getTime()),
        actor: SYSTEM,
        subjectId: userId,
        connectorId: targetId,
        data: { user, target },
      })),
    )
  })
