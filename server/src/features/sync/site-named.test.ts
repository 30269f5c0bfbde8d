import { placerFor } from '@instep/contract/place-person.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { siteNamed } from '../users/public.ts'
import { placeableSites } from './placeable-sites.ts'
import { placingFor } from './placement.rules.ts'
import { loadSiteDays } from './site-days.ts'

const TODAY = '2026-11-21'
/** Sites and the hours of their clocks, so that days differ. */
const SITES = [
  { name: 'North East', active: true },
  { name: 'Far \u00a0Away', active: false },
  { name: 'Old\u3000 Mill', active: true },
  { name: 'Quay', active: true },
]

let database: TestDatabase
const tenantId = uuidv7()
let idOf: ReadonlyMap<string, string>
beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  await sql`insert into tenants (id, name, time_zone) values (${tenantId}, 'One', 'Etc/GMT+12')`.execute(db)
  idOf = new Map(SITES.map(({ name }) => [name, uuidv7()]))
  for (const { name, active } of SITES) {
    const zone = name === 'Quay' ? 'Pacific/Kiritimati' : 'Etc/GMT-12'
    await sql`
      insert into sites (tenant_id, id, name, active, time_zone) values (${tenantId}, ${idOf.get(name)}, ${name}, ${active}, ${zone})`.execute(
      db,
    )
  }
})
afterAll(() => database.close())

const bySql = async (texts: readonly (string | null)[]): Promise<(string | null)[]> => {
  const { rows } = await sql<{ id: string | null }>`
    select s.id from unnest(${texts}::text[]) with ordinality t (text, place)
    left join sites s on s.tenant_id = ${tenantId} and s.active and s.name_folded = ${siteNamed(tenantId, sql.ref('t.text'))}
    order by t.place`.execute(database.db)
  return rows.map(({ id }) => id)
}

it.each([
  ['North East', 'North East'],
  ['\u00a0north  EAST\t', 'North East'],
  ['north\t EAST', 'North East'],
  ['Far Away', undefined],
  ['Old Mill', 'Old\u3000 Mill'],
  ['OLD\u3000 MILL', 'Old\u3000 Mill'],
  ['quay', 'Quay'],
  ['North East\u0085', undefined],
  ['', undefined],
])('a text names the site that looks the same: %j', async (text, site) => {
  const expected = (site && idOf.get(site)) ?? null
  const { siteNamed: byPlan } = placingFor(undefined, await placeableSites(database.db, tenantId), TODAY)
  expect([byPlan(text), ...(await bySql([text, null]))]).toEqual([expected, expected, null])
})

it('the database, the plan, the rules and the days of sites agree on whom a text names', async () => {
  const sites = await placeableSites(database.db, tenantId)
  const { siteNamed: byPlan } = placingFor(undefined, sites, TODAY)
  const byRules = placerFor([{ to: { field: 'locationName', by: 'name' } }], sites, TODAY)
  const days = await loadSiteDays(database.db, { tenantId, at: new Date(`${TODAY}T11:30:00Z`) })
  const space = fc.string({
    unit: fc.constantFrom(...' \t\n\v\f\r\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\ufeff\u0085\u180e\u200b\u001c'),
    maxLength: 3,
  })
  const words = fc.constantFrom(['North', 'East'], ['FAR', 'away'], ['old', 'Mill'], ['quay'], [])
  const near = fc.tuple(space, words, space, space).map(([before, all, between, after]) => `${before}${all.join(between)}${after}`)
  const likely = fc
    .tuple(fc.constantFrom(...SITES), fc.constantFrom('', ' ', '\t', '\u00a0'))
    .map(([{ name }, edge]) => `${edge}${name.toUpperCase()}${edge}`)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(near, likely), { minLength: 1, maxLength: 40 }), async (texts) => {
      const found = await bySql(texts)
      expect(texts.map(byPlan)).toEqual(found)
      expect(texts.map((locationName) => byRules({ locationName }).siteId)).toEqual(found)
      expect(texts.map(days.atLocation)).toEqual(found.map(days.atSite))
    }),
    { numRuns: 60, seed: 7 },
  )
})
