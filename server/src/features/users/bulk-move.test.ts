import { bulkMove, getUnassigned } from '@instep/contract/bulk-move.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { followSites } from '../provisioning/public.ts'

let app: TestApp
let tenantId: string
let hr: string
let people: string[]
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  hr = await addConnector(app.database.db, { tenantId, name: 'By hand', ingestionType: 'manual' })
})
afterAll(() => app.close())
beforeEach(async () => {
  const { db } = app.database
  await sql`delete from users where tenant_id = ${tenantId}`.execute(db)
  const { southSite } = app.world.one
  people = await addPeople(db, { tenantId, connectorId: hr }, [
    {},
    {},
    { locked: true },
    { vip: true },
    { site_id: southSite },
    { active: false },
  ])
})

const move = (
  targetSiteId: string | null,
  identityIds: readonly (string | undefined)[],
  { admin = 'tenant', connectorId = tenantId }: { admin?: TestAdmin; connectorId?: string } = {},
) => app.call(admin, bulkMove, { params: { connectorId }, body: { targetSiteId, identityIds: identityIds.map((id) => id ?? '') } })
const unassigned = async () => (await app.call('tenant', getUnassigned, { params: { tenantId } })).body
const moved = async () =>
  (
    await sql<{ subject_id: string; before: unknown; after: unknown }>`
    select subject_id, before, after from events where tenant_id = ${tenantId} and type = 'user.moved' and subject_id = any(${people}) order by id`.execute(
      app.database.db,
    )
  ).rows

describe('moving people is refused', () => {
  it('to a site of another tenant, to none below tenant level, and to one that the caller does not see', async () => {
    const { one, two } = app.world
    const seen = [people[4]]
    for (const answer of [
      await move(two.site, people),
      await move(uuidv7(), people),
      await move(null, seen, { admin: 'site' }),
      await move(one.northSite, seen, { admin: 'site' }),
    ])
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([400, ['targetSiteId']])
    expect(await moved()).toEqual([])
  })

  it('of people whom the caller sees none of, like people whom there are none of', async () => {
    const { southSite } = app.world.one
    const nobody = await move(southSite, [uuidv7()], { admin: 'site' })
    const hidden = await move(southSite, [people[0]], { admin: 'site' })
    expect([nobody.status, hidden.status, hidden.body.code]).toEqual([404, 404, nobody.body.code])
  })

  it('without the right to edit', async () => {
    await sql`update admins set permissions = 1 where id = ${app.adminIds.tenant}`.execute(app.database.db)
    const { status } = await move(app.world.one.northSite, [people[0]])
    await sql`update admins set permissions = 1023 where id = ${app.adminIds.tenant}`.execute(app.database.db)
    expect(status).toBe(403)
  })
})

describe('moving people', () => {
  it('moves those who can be moved, says why the others stay, and tells it once of each', async () => {
    const { northSite } = app.world.one
    const gone = uuidv7()
    const { body } = await move(northSite, [...people.slice(0, 4), gone, people[0]])
    expect(body.success).toBe(false)
    expect(body.identities.map(({ reason }) => reason)).toEqual([null, null, 'locked', 'vip', 'unknown'])
    expect(await moved()).toEqual(
      people.slice(0, 2).map((subject_id) => ({ subject_id, before: { siteId: null }, after: { siteId: northSite } })),
    )
    await move(northSite, people.slice(0, 2))
    expect((await moved()).length).toBe(2)
  })

  it('empties the Unassigned bucket and fills it again, and its count is the people’s', async () => {
    expect(await unassigned()).toEqual({ people: 5, active: 4 })
    await move(app.world.one.looseSite, [people[0], people[5]])
    expect(await unassigned()).toEqual({ people: 3, active: 3 })
    expect((await move(null, [people[4], people[0]])).body.success).toBe(true)
    expect(await unassigned()).toEqual({ people: 5, active: 5 })
  })

  it('takes them out of the groups of the site they leave, at targets that have one of each site', async () => {
    const { db } = app.database
    const { northSite, southSite } = app.world.one
    const targetId = await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', definitionId: 'workplace' })
    await sql`update connectors set properties = '{"groupPerSite": true}' where id = ${targetId}`.execute(db)
    await db
      .transaction()
      .execute((tx) => followSites(tx, { tenantId, correlationId: 'groups', users: sql`select id as user_id from users` }))
    const placesOf = async () => {
      const { rows } = await sql<{ place: string }>`
        select g.key as place from target_members m join target_groups g on g.tenant_id = m.tenant_id and g.target_id = m.target_id and g.id = m.group_id
        where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.user_id = ${people[4]} and m.wanted`.execute(db)
      return rows.map(({ place }) => place)
    }
    expect(await placesOf()).toEqual([southSite])
    await move(northSite, [people[4]])
    expect(await placesOf()).toEqual([northSite])
    await move(null, [people[4]])
    expect(await placesOf()).toEqual([])
  })

  it('leaves people of another connector than the one named alone', async () => {
    const other = await addConnector(app.database.db, { tenantId, name: `Other ${uuidv7()}`, ingestionType: 'manual' })
    expect((await move(app.world.one.northSite, [people[0]], { connectorId: other })).status).toBe(404)
  })
})
