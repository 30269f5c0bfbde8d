import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Db } from '../db/database.ts'

interface StoredRow {
  payload: AdapterPayload
  consumedAt: Date | null
}

const toPayload = (row: StoredRow | undefined): AdapterPayload | undefined => {
  if (row === undefined) return undefined
  return row.consumedAt === null ? row.payload : { ...row.payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) }
}

const upsertState = async (
  db: Db,
  key: { model: string; id: string },
  state: { payload: AdapterPayload; expiresIn?: number | undefined },
) => {
  const { payload, expiresIn } = state
  const seconds = expiresIn ?? null
  await sql`
    insert into identity_state (model, id, uid, grant_id, account_id, payload, expires_at)
    values (${key.model}, ${key.id}, ${payload.uid ?? null}, ${payload.grantId ?? null}, ${payload.accountId ?? null},
            ${JSON.stringify(payload)}::jsonb, now() + make_interval(secs => ${seconds}::double precision))
    on conflict (model, id) do update
      set uid = excluded.uid, grant_id = excluded.grant_id, account_id = excluded.account_id,
          payload = excluded.payload, expires_at = excluded.expires_at`.execute(db)
}

const consumeState = async (db: Db, key: { model: string; id: string }) => {
  const { rows } = await sql`
    update identity_state set consumed_at = now()
     where model = ${key.model} and id = ${key.id} and consumed_at is null
    returning id`.execute(db)
  // Two exchanges of one code at the same moment both find it fresh: the second one to consume it is refused here.
  if (rows.length === 0) throw new errors.InvalidGrant(`${key.model} is already consumed`)
}

/**
 * Keeps the provider's state in PostgreSQL.
 *
 * @returns the factory that oidc-provider calls once a model; source: its adapter contract
 */
export const postgresAdapter =
  (db: Db) =>
  (model: string): Adapter => ({
    upsert: (id, payload, expiresIn) => upsertState(db, { model, id }, { payload, expiresIn }),
    find: async (id) => {
      const { rows } = await sql<StoredRow>`
        select payload, consumed_at as "consumedAt" from identity_state where model = ${model} and id = ${id}`.execute(db)
      return toPayload(rows[0])
    },
    findByUid: async (uid) => {
      const { rows } = await sql<StoredRow>`
        select payload, consumed_at as "consumedAt" from identity_state where model = ${model} and uid = ${uid}`.execute(db)
      return toPayload(rows[0])
    },
    // The device flow, which alone has user codes, is off.
    findByUserCode: async () => undefined,
    consume: (id) => consumeState(db, { model, id }),
    destroy: async (id) => {
      await sql`delete from identity_state where model = ${model} and id = ${id}`.execute(db)
    },
    revokeByGrantId: async (grantId) => {
      await sql`delete from identity_state where model = ${model} and grant_id = ${grantId}`.execute(db)
    },
  })
