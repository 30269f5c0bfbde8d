import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { IdentitySecrets } from './identity-settings.ts'

/** How long each stage of a signing key lasts. */
export interface KeyAges {
  /** Days after which the signing key is replaced. */
  activeDays: number
  /** Minutes a key is published before it signs: longer than clients cache the key set (jose: 10 minutes). */
  publishMinutes: number
  /** Hours a replaced key stays published: longer than a token or a sign-in session lives. */
  keepOldHours: number
}

export const KEY_AGES: KeyAges = { activeDays: 90, publishMinutes: 15, keepOldHours: 25 }

/** What one call of `rotateKeys` did. */
export interface Rotation {
  created: string[]
  activated: string[]
  removed: string[]
}

/** A signing key as it is stored: `active` signs, `next` is only published, `old` still verifies. */
export interface StoredKey {
  kid: string
  stage: 'next' | 'active' | 'old'
  privateKey: Buffer
  publicJwk: JWK
  stageSince: Date
}

interface KeyStore {
  db: Db
  secrets: IdentitySecrets
}

const HOUR = 3_600_000
const ROTATION_LOCK = 7_204_311

const createKey = async ({ db, secrets }: KeyStore, stage: 'next' | 'active', now: Date): Promise<string> => {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const publicJwk: JWK = { kty: 'RSA', n: jwk.n, e: jwk.e, kid, alg: 'RS256', use: 'sig' } as JWK
  await sql`
    insert into identity_keys (kid, stage, private_key, public_jwk, created_at, stage_since)
    values (${kid}, ${stage}, ${secrets.encrypt({ ...jwk, kid, alg: 'RS256', use: 'sig' })}, ${JSON.stringify(publicJwk)}::jsonb, ${now}, ${now})`.execute(
    db,
  )
  return kid
}

/** All keys, the signing one first. */
export const loadKeys = async (db: Db): Promise<StoredKey[]> => {
  const { rows } = await sql<StoredKey>`
    select kid, stage, private_key as "privateKey", public_jwk as "publicJwk", stage_since as "stageSince"
      from identity_keys
     order by case stage when 'active' then 0 when 'next' then 1 else 2 end, stage_since desc`.execute(db)
  return rows
}

const rotateLocked = async (store: KeyStore, now: Date, ages: KeyAges): Promise<Rotation> => {
  const keys = await loadKeys(store.db)
  const age = (key: StoredKey) => now.getTime() - key.stageSince.getTime()
  const active = keys.find((key) => key.stage === 'active')
  const next = keys.find((key) => key.stage === 'next')
  const rotation: Rotation = { created: [], activated: [], removed: [] }
  if (active === undefined) {
    const kid = await createKey(store, 'active', now)
    return { ...rotation, created: [kid], activated: [kid] }
  }
  if (next === undefined && age(active) >= ages.activeDays * 24 * HOUR) rotation.created.push(await createKey(store, 'next', now))
  if (next !== undefined && age(next) >= ages.publishMinutes * 60_000) {
    await sql`update identity_keys set stage = 'old', stage_since = ${now} where kid = ${active.kid}`.execute(store.db)
    await sql`update identity_keys set stage = 'active', stage_since = ${now} where kid = ${next.kid}`.execute(store.db)
    rotation.activated.push(next.kid)
  }
  const outlived = keys.filter((key) => key.stage === 'old' && age(key) >= ages.keepOldHours * HOUR).map((key) => key.kid)
  if (outlived.length > 0) await sql`delete from identity_keys where kid = any(${outlived})`.execute(store.db)
  return { ...rotation, removed: outlived }
}

/**
 * Does whatever the rotation of signing keys has due: creates the first key, publishes the next one, lets a published
 * one sign, removes an old one. Safe to call at any time and from several processes; call it at start and hourly.
 *
 * @param ages `{ ...KEY_AGES, activeDays: 0 }` starts a rotation at once
 */
export const rotateKeys = (store: KeyStore, now: Date, ages: KeyAges = KEY_AGES): Promise<Rotation> =>
  store.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${ROTATION_LOCK})`.execute(tx)
    return await rotateLocked({ db: tx, secrets: store.secrets }, now, ages)
  })
