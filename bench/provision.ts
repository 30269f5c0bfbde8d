import type { AccountDocument, Target } from '@instep/connectors/kit/target.ts'
import { readPeople } from '@instep/server/features/provisioning/account.store.ts'
import { targetSummary } from '@instep/server/features/provisioning/account.views.ts'
import { createProvisioner } from '@instep/server/features/provisioning/provisioner.ts'
import { markPending } from '@instep/server/features/provisioning/public.ts'
import { targetHealth } from '@instep/server/features/provisioning/target-health.views.ts'
import { systemClock } from '@instep/server/platform/clock.ts'
import type { Db } from '@instep/server/platform/db/database.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { silentLog } from '@instep/server/platform/log.ts'
import { sql } from 'kysely'
import { Pool } from 'undici'
import type { Figures, Scenario, Sides } from './harness.ts'
import { CONCURRENCY, type NoopScim, sourceId, startProvisionWorld, TOKEN, targetId, tenantId } from './provision-world.ts'

/** Of a target far away, in milliseconds. */
const LATENCY = 50

/** New accounts from pending rows to rows in step, against the least that sends the same requests. */
export const provisionScenario: Scenario = {
  name: 'provision',
  units: { rate: 'accounts/s', seconds: 's', 'server CPU': 'µs/account' },
  prepare: async (options) => {
    const people = Number(options.get('people') ?? 10_000)
    const world = await startWorld(people)
    const { db, scim, target } = world
    const documents = await readDocuments(db, target())
    const unchanged: string[] = []

    const provisioner = createProvisioner({
      db,
      clock: systemClock,
      log: silentLog,
      openTarget: async () => target(),
      concurrency: CONCURRENCY,
    })
    const creates = async (): Promise<Figures> => {
      await reset(db, scim)
      const figures = await timed(people, () => provisioner.runOnce())
      await assertAll(db, scim, people)
      return figures
    }
    const subject = async (): Promise<Figures> => {
      const figures = await creates()
      await db.transaction().execute((tx) => markPending(tx, everybody()))
      const before = (await scim.holds()) + (await scim.patches())
      const again = await timed(people, () => provisioner.runOnce())
      const sent = (await scim.holds()) + (await scim.patches()) - before
      unchanged.push(`unchanged population of ${people} looked at again: ${again.seconds?.toFixed(2)} s, ${sent} requests`)
      return figures
    }
    const floor = async (): Promise<Figures> => {
      await scim.forget()
      return timed(people, () => sendAll(scim.origin, documents))
    }
    const slow = async (): Promise<string> => {
      await scim.delay(LATENCY)
      const { rate = 0 } = await creates()
      await scim.delay(0)
      const most = CONCURRENCY / (LATENCY / 1000)
      return `with ${LATENCY} ms of latency: ${rate.toFixed(0)} accounts/s, ${((100 * rate) / most).toFixed(1)} % of concurrency ÷ latency`
    }
    const figures = async (): Promise<string> => {
      const place = { tenantId, targetId, now: systemClock.now() }
      const begun = performance.now()
      await Promise.all([targetSummary(db, place), targetHealth(db, place)])
      return `figures of the target's page: ${(performance.now() - begun).toFixed(0)} ms`
    }
    const report = async () => [...unchanged.slice(-1), await figures(), await slow()]
    const sides: Sides = { subject, floor, report, close: world.close }
    return sides
  },
}

const timed = async (accounts: number, work: () => Promise<unknown>): Promise<Figures> => {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { rate: accounts / seconds, seconds, 'server CPU': (user + system) / accounts }
}

const everybody = () => ({
  tenantId,
  users: sql`select user_id from provisioning_users where tenant_id = ${tenantId}`,
  correlationId: uuidv7(),
})

const reset = async (db: Db, scim: NoopScim): Promise<void> => {
  await scim.forget()
  await sql`truncate target_accounts, events`.execute(db)
  await db.transaction().execute((tx) => markPending(tx, everybody()))
  await sql`checkpoint`.execute(db)
}

const assertAll = async (db: Db, scim: NoopScim, people: number): Promise<void> => {
  const { rows } = await sql<{ accounts: number; ids: number }>`
    select count(*) filter (where state = 'inStep')::integer as accounts, count(distinct remote_id)::integer as ids
    from target_accounts`.execute(db)
  const holds = await scim.holds()
  if (rows[0]?.accounts !== people || rows[0].ids !== people || holds !== people)
    throw new Error(`of ${people} people ${rows[0]?.accounts} are in step with ${rows[0]?.ids} accounts; the target holds ${holds}`)
}

const readDocuments = async (db: Db, target: Target): Promise<AccountDocument[]> => {
  const ids = await db.selectFrom('users').select('id').execute()
  const people = await readPeople(
    db,
    tenantId,
    ids.map(({ id }) => id),
  )
  return [...people.values()].map((person) => target.documentOf(person))
}

/** The floor: the same documents to the same server over as many connections, and nothing else. */
const sendAll = async (origin: string, documents: readonly AccountDocument[]): Promise<void> => {
  const pool = new Pool(origin, { connections: CONCURRENCY })
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' }
  let next = 0
  const worker = async () => {
    for (let document = documents[next++]; document; document = documents[next++]) {
      const { body } = await pool.request({ method: 'POST', path: '/scim/v2/Users', headers, body: JSON.stringify(document) })
      await body.json()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  await pool.close()
}

const startWorld = async (people: number) => {
  const world = await startProvisionWorld()
  await seed(world.db, people)
  return world
}

const seed = async (db: Db, people: number): Promise<void> => {
  await sql`
    insert into users (
      tenant_id, id, connector_id, external_id, employee_number, given_name, family_name, display_name, work_email, personal_phone,
      preferred_language, title, department, location_name, country, start_date, created_at, updated_at
    )
    select
      ${tenantId}, gen_random_uuid(), ${sourceId}, 'NW-' || n, n::text, 'Given' || n, 'Family' || n, 'Given' || n || ' Family' || n,
      'person.' || n || '@example.com', '+4479' || lpad(n::text, 8, '0'), 'en_GB', 'Sales Assistant', 'Department ' || n % 40,
      'Store ' || n % 200, 'GB', date '2024-01-01' + n % 700, now(), now()
    from generate_series(1, ${people}::integer) n`.execute(db)
  await sql`analyze`.execute(db)
}
