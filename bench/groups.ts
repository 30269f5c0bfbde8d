import { wantGroups, wantMembers } from '@instep/server/features/provisioning/groups/want-groups.ts'
import { createProvisioner } from '@instep/server/features/provisioning/provisioner.ts'
import { systemClock } from '@instep/server/platform/clock.ts'
import type { Db } from '@instep/server/platform/db/database.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { silentLog } from '@instep/server/platform/log.ts'
import { sql } from 'kysely'
import { Pool } from 'undici'
import type { Figures, Scenario, Sides } from './harness.ts'
import { CONCURRENCY, sourceId, startProvisionWorld, TOKEN, targetId, tenantId } from './provision-world.ts'

/** Groups that each person belongs to. */
const EACH = 10
/** One of so many people changes all groups in a round. */
const MOVES = 101

const rule = { tenantId, targetId, origin: 'bench' }

/** Changes of members at a target that has very many, from the rule's answer to all of them at the target, against the least that sends as many requests. */
export const groupsScenario: Scenario = {
  name: 'groups',
  units: { rate: 'changes/s', seconds: 's', wanting: 's', requests: '' },
  prepare: async (options) => {
    const groups = Number(options.get('groups') ?? 10_000)
    const people = Math.ceil(Number(options.get('members') ?? 1_000_000) / EACH)
    const world = await startProvisionWorld()
    const { db, scim, target } = world
    const provisioner = createProvisioner({
      db,
      clock: systemClock,
      log: silentLog,
      openTarget: async () => target(),
      concurrency: CONCURRENCY,
    })
    await seed(db, people)
    const first = await fill({ db, groups, round: 0 }, () => provisioner.runOnce())
    let round = 0
    let requests = 0
    const moved = Math.floor(people / MOVES) * EACH * 2
    const subject = async (): Promise<Figures> => {
      round += 1
      const before = await scim.patches()
      const begun = performance.now()
      await wantAll(db, { groups, round })
      const wanting = (performance.now() - begun) / 1000
      await provisioner.runOnce()
      const seconds = (performance.now() - begun) / 1000
      await assertInStep(db, people * EACH)
      requests = (await scim.patches()) - before
      return { rate: moved / seconds, seconds, wanting, requests }
    }
    const floor = async (): Promise<Figures> => {
      const begun = performance.now()
      await sendAll(scim.origin, requests || moved)
      const seconds = (performance.now() - begun) / 1000
      return { rate: moved / seconds, seconds }
    }
    const report = async () => {
      const begun = performance.now()
      const before = await scim.patches()
      await wantAll(db, { groups, round })
      await provisioner.runOnce()
      const again = `all wanted again as they are: ${((performance.now() - begun) / 1000).toFixed(1)} s, ${(await scim.patches()) - before} requests`
      return [`${groups} groups with ${people * EACH} members: ${first}`, again]
    }
    const sides: Sides = { subject, floor, report, close: world.close }
    return sides
  },
}

/** The first load of a target, and how much memory it takes. */
const fill = async ({ db, groups, round }: { db: Db; groups: number; round: number }, run: () => Promise<number>): Promise<string> => {
  let most = 0
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - idle)
  }, 100)
  const begun = performance.now()
  await wantAll(db, { groups, round })
  const wanted = performance.now()
  await run()
  const ended = performance.now()
  clearInterval(look)
  const of = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
  return `wanted in ${of(wanted - begun)}, brought in step in ${of(ended - wanted)}, ${Math.round(most / 1_048_576)} MiB more memory`
}

/** Every group and membership that a rule would answer; everybody of whom one in `MOVES` is meant has moved on by as many groups as each belongs to. */
const wantAll = (db: Db, { groups, round }: { groups: number; round: number }): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const correlationId = uuidv7()
    await wantGroups(tx, {
      ...rule,
      correlationId,
      groups: sql`select 'g' || n as key, 'Group ' || n as name, '{}'::jsonb as settings from generate_series(0, ${groups - 1}::integer) n`,
    })
    await wantMembers(tx, {
      ...rule,
      correlationId,
      members: sql`
        select 'g' || ((u.employee_number::integer * ${EACH}::integer + k
          + case when u.employee_number::integer % ${MOVES}::integer = 0 then ${round * EACH}::integer else 0 end) % ${groups}::integer) as key,
          u.user_id
        from provisioning_users u cross join generate_series(0, ${EACH - 1}::integer) k
        where u.tenant_id = ${tenantId}`,
    })
  })

const assertInStep = async (db: Db, members: number): Promise<void> => {
  const { rows } = await sql<{ inStep: number; all: number }>`
    select (count(*) filter (where state = 'inStep'))::integer as "inStep", count(*)::integer as all from target_members`.execute(db)
  if (rows[0]?.inStep !== members || rows[0].all !== members)
    throw new Error(`of ${members} members ${rows[0]?.inStep} are in step, and there are ${rows[0]?.all}`)
}

/** The floor: so many changes of one member each over as many connections, and nothing else. */
const sendAll = async (origin: string, requests: number): Promise<void> => {
  const pool = new Pool(origin, { connections: CONCURRENCY })
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' }
  let left = requests
  const worker = async () => {
    for (; left > 0; left--) {
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'add', path: 'members', value: [{ value: String(left) }] }],
      })
      const response = await pool.request({ method: 'PATCH', path: `/scim/v2/Groups/${left}`, headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  await pool.close()
}

/** People whose accounts are at the target already. */
const seed = async (db: Db, people: number): Promise<void> => {
  await sql`
    insert into users (
      tenant_id, id, connector_id, external_id, employee_number, given_name, family_name, display_name, work_email, created_at, updated_at
    )
    select ${tenantId}, gen_random_uuid(), ${sourceId}, 'NW-' || n, n::text, 'Given' || n, 'Family' || n, 'Given' || n || ' Family' || n,
      'person.' || n || '@example.com', now(), now()
    from generate_series(1, ${people}::integer) n`.execute(db)
  await sql`
    insert into target_accounts (tenant_id, target_id, user_id, state, remote_id)
    select tenant_id, ${targetId}, id, 'inStep', 'a' || employee_number from users where tenant_id = ${tenantId}`.execute(db)
  await sql`analyze`.execute(db)
}
