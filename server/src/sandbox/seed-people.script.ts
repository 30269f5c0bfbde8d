import path from 'node:path'
import { sql } from 'kysely'
import { ConfigError, readConfig } from '../config.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { systemClock } from '../platform/clock.ts'
import { masterKey } from '../platform/crypto/master-key.ts'
import { createSecrets } from '../platform/crypto/secrets.ts'
import type { Db } from '../platform/db/database.ts'
import { DatabaseRefusal } from '../platform/db/database-refusal.ts'
import { migrate } from '../platform/db/migrate.ts'
import { issuerOf } from '../platform/identity/identity-settings.ts'
import { demonstrationTenant, seedDemonstration } from './seed-demonstration.ts'

/**
 * `npm run seed -- --users 10000`: puts that many invented people into the first demonstration tenant, as if they had been added by hand, in
 * one statement a chunk. They owe no account to any target. Run it while the server is stopped.
 */
const CHUNK = 50_000

const option = (name: string, standard: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? standard : Number(process.argv[at + 1])
  if (!Number.isInteger(value) || value < 1) throw new ConfigError(`--${name} takes a whole number from 1.`)
  return value
}

const addPeople = async (db: Db, { from, to }: { from: number; to: number }): Promise<void> => {
  const tenantId = demonstrationTenant('northwind')
  await sql`
    with given as (select array['Amara','Lars','Ingrid','Mateo','Fatima','Zainab','Mei','Tomasz','Björn','Priya','Lucía','Chloé','José','Иван','Noah'] as names),
    family as (select array['Moreau','Tanaka','Virtanen','Patel','Kowalski','O’Sullivan','Fernández','Silva','Schneider','Hassan','Murphy','Weber'] as names),
    site as (select array_agg(id order by name) as ids, array_agg(name order by name) as names from sites where tenant_id = ${tenantId}),
    connector as (select id from connectors where tenant_id = ${tenantId} and definition_id = 'manual' limit 1),
    person as (
      select n,
        g.names[1 + mix(n, 'given') % array_length(g.names, 1)] as given_name,
        f.names[1 + mix(n, 'family') % array_length(f.names, 1)] as family_name,
        s.ids[1 + mix(n, 'site') % array_length(s.ids, 1)] as site_id, s.names[1 + mix(n, 'site') % array_length(s.names, 1)] as location_name,
        (array['Kitchen','Logistics','Finance','Store operations','Engineering'])[1 + mix(n, 'job') % 5] as department,
        (array['Line cook','Forklift driver','Accountant','Sales assistant','Data analyst'])[1 + mix(n, 'job') % 5] as title,
        mix(n, 'state') % 17 <> 0 as active, mix(n, 'email') % 3 = 0 as desk, mix(n, 'claim') % 4 as claim, mix(n, 'start') % 5000 as days
      from generate_series(${from}::integer, ${to}::integer) n, given g, family f, site s
    )
    insert into users (
      tenant_id, id, connector_id, site_id, external_id, employee_number, given_name, family_name, display_name, title, department, location_name,
      work_email, access_code_delivery, start_date, active, deactivated_at, claim_state, base, created_at, updated_at
    )
    select ${tenantId}, gen_random_uuid(), c.id, p.site_id, 'SEED-' || p.n, (500000 + p.n)::text, p.given_name, p.family_name,
      p.given_name || ' ' || p.family_name, p.title, p.department, p.location_name,
      case when p.desk then 'seed.' || p.n || '@northwind.example' end, case when p.desk then 'email.work' else 'none' end,
      date '2012-01-01' + p.days, p.active, case when not p.active then now() end,
      (array['awaitingInvitation','invited','claimed','claimed'])[1 + p.claim],
      jsonb_build_object('externalId', 'SEED-' || p.n, 'givenName', p.given_name, 'familyName', p.family_name, 'active', p.active),
      now(), now()
    from person p, connector c
    on conflict on constraint users_external_id_unique do nothing`.execute(db)
}

const seed = async (): Promise<void> => {
  const given = readConfig({ ...process.env, SANDBOX: 'on' })
  const config = { ...given, DATA_DIR: path.resolve(given.DATA_DIR) }
  const users = option('users', 10_000)
  const { db, close } = await openConfiguredDatabase(config)
  try {
    await migrate(db)
    const secrets = createSecrets(masterKey(config.SECRET_KEY, config.DATA_DIR))
    const sandboxUrl = `http://127.0.0.1:${config.SANDBOX_PORT}`
    await seedDemonstration({ db, clock: systemClock, secrets, issuer: issuerOf(config.PUBLIC_URL), sandboxUrl })
    // a number from a number, so that fields do not go in step with each other
    await sql`create or replace function mix(n integer, salt text) returns integer language sql immutable
      as 'select hashtext(n || salt) & 2147483647'`.execute(db)
    for (let from = 1; from <= users; from += CHUNK) {
      await addPeople(db, { from, to: Math.min(users, from + CHUNK - 1) })
      process.stdout.write(`${Math.min(users, from + CHUNK - 1)} of ${users}\n`)
    }
    await sql`drop function mix(integer, text)`.execute(db)
    await sql`analyze users`.execute(db)
  } finally {
    await close()
  }
}

seed().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof DatabaseRefusal
  process.stderr.write(`${known ? error.message : (error as Error).stack}\n`)
  process.exit(1)
})
