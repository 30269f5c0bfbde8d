import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector } from '../../testing/people.ts'
import { manualConnector } from './manual-connector.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const secrets = createSecrets(Buffer.alloc(32, 7))
const by = { actor: { kind: 'system' as const, id: null, name: 'Test' }, at: new Date('2026-01-02T03:04:05Z'), correlationId: uuidv7() }
const tenant = async () => {
  const id = uuidv7()
  await database.db.insertInto('tenants').values({ id, name: 'T' }).execute()
  return id
}
const manualOf = (tenantId: string) => database.db.transaction().execute((tx) => manualConnector(tx, { tenantId, secrets, by }))
const connectorsOf = (tenantId: string) =>
  database.db.selectFrom('connectors').select(['id', 'name', 'definition_id']).where('tenant_id', '=', tenantId).orderBy('name').execute()

it('is the one that there is, an enabled one first', async () => {
  const tenantId = await tenant()
  const [off, on] = [
    await addConnector(database.db, { tenantId, name: 'Off', ingestionType: 'manual' }),
    await addConnector(database.db, { tenantId, name: 'On', ingestionType: 'manual' }),
  ]
  await database.db.updateTable('connectors').set({ enabled: false }).where('id', '=', off).execute()
  expect(await manualOf(tenantId)).toBe(on)
})

it('is added once, also for many at once', async () => {
  const tenantId = await tenant()
  const ids = await Promise.all(Array.from({ length: 6 }, () => manualOf(tenantId)))
  expect(new Set(ids).size).toBe(1)
  expect(await connectorsOf(tenantId)).toEqual([{ id: ids[0], name: 'Manual', definition_id: 'manual' }])
})

it('takes another name where another connector has its name', async () => {
  const tenantId = await tenant()
  await addConnector(database.db, { tenantId, name: 'MANUAL' })
  await addConnector(database.db, { tenantId, name: 'Manual 2', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  await manualOf(tenantId)
  expect((await connectorsOf(tenantId)).map(({ name }) => name)).toEqual(['MANUAL', 'Manual 2', 'Manual 3'])
})
