import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindFilter } from './bind-filter.rules.ts'
import { compileFilter } from './compile-filter.ts'
import { parseFilter } from './filter-text.rules.ts'
import { USER_KIND } from './scim-schemas.ts'
import { type Connection, type ScimWorld, scimWorld } from './testing/scim-world.ts'

const AMOUNT = 100_000
let world: ScimWorld
let entra: Connection

beforeAll(async () => {
  world = await scimWorld()
  entra = await world.connect()
  await sql`
    insert into scim_users (tenant_id, connector_id, id, user_name_folded, external_id, active, resource, search, change, created_at, updated_at)
    select ${entra.tenantId}, ${entra.connectorId}, gen_random_uuid(), 'user' || n, 'E-' || n, true,
      jsonb_build_object('userName', 'User' || n, 'externalId', 'E-' || n, 'active', true,
        'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'user' || n || '@example.com'))),
      jsonb_build_object('username', 'user' || n, 'externalid', 'E-' || n, 'active', true,
        'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'user' || n || '@example.com'))),
      n, now(), now()
    from generate_series(1, ${AMOUNT}::integer) n`.execute(world.instep.database.db)
  await sql`analyze scim_users`.execute(world.instep.database.db)
}, 120_000)
afterAll(() => world.close())

/** The best of three, in milliseconds. */
const timed = async (path: string): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const from = performance.now()
    expect((await entra.request(`GET ${path}`)).status).toBe(200)
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}

describe('among a hundred thousand users', () => {
  it.each([
    ['userName eq "USER77777"', 'scim_users_name_unique'],
    ['externalId eq "E-77777"', 'scim_users_external_id'],
    ['emails[type eq "work"].value eq "user77777@example.com"', 'scim_users_search'],
    ['emails.value eq "user77777@example.com" and active eq true', 'scim_users_search'],
  ])('one is found by an index: %s', async (filter, index) => {
    const condition = compileFilter(USER_KIND, bindFilter(USER_KIND, parseFilter(filter)))
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select r.* from scim_users r
      where r.tenant_id = ${entra.tenantId} and r.connector_id = ${entra.connectorId} and ${condition}`.execute(world.instep.database.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
    const found = await entra.request(`GET /Users?filter=${encodeURIComponent(filter)}`)
    expect(found.body.Resources.map(({ userName }) => userName)).toEqual(['User77777'])
    expect(await timed(`/Users?filter=${encodeURIComponent(filter)}`)).toBeLessThan(300)
  })

  it('the first and the last page come quickly', async () => {
    expect(await timed('/Users?count=100')).toBeLessThan(1500)
    expect(await timed(`/Users?count=100&startIndex=${AMOUNT - 99}`)).toBeLessThan(1500)
  })
})
