import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../platform/identity/accounts.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { createAdmin, followIssuer } from './admins.store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

it('an administrator of the embedded provider follows its address; one of another provider does not', async () => {
  const { db } = database
  const by = { at: new Date(), correlationId: 'c', actor: { kind: 'system' as const, id: null, name: 'Test' } }
  const { id } = await createAccount(db, { email: 'ada@test.example', name: 'Ada' })
  const add = (issuer: string, subject: string) =>
    db
      .transaction()
      .execute((tx) => createAdmin(tx, { tenantId: null, issuer, subject, name: 'A', email: 'a@test.example', roles: ['admin.super'] }, by))
  await add('http://localhost:8080/identity', id)
  await add('https://login.example', uuidv7())
  await followIssuer(db, 'http://localhost:9090/identity')
  const issuers = await db.selectFrom('admins').select('issuer').orderBy('issuer').execute()
  expect(issuers.map(({ issuer }) => issuer)).toEqual(['http://localhost:9090/identity', 'https://login.example'])
})
