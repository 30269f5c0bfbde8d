import { realpathSync } from 'node:fs'
import path from 'node:path'
import { DEFINITIONS } from '@instep/connectors/definitions.ts'
import { createAdmin } from '@instep/server/features/admins/public.ts'
import { createConnector } from '@instep/server/features/connectors/public.ts'
import { createTenant } from '@instep/server/features/tenants/public.ts'
import { systemClock } from '@instep/server/platform/clock.ts'
import { masterKey } from '@instep/server/platform/crypto/master-key.ts'
import { createSecrets } from '@instep/server/platform/crypto/secrets.ts'
import { type Database, openDatabase } from '@instep/server/platform/db/database.ts'
import { socketDirectoryOf } from '@instep/server/platform/db/embedded/socket-directory.ts'
import { issuerOf } from '@instep/server/platform/identity/identity-settings.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { createTokenMint } from '@instep/server/testing/token-mint.ts'

export interface CrashWorld {
  readonly tenantId: string
  readonly sourceId: string
  readonly targetId: string
  readonly token: string
}

/** Where the database's files really lie; the folder in the data folder may be a link. */
export const databaseFolder = (dataDir: string): string => realpathSync(path.join(dataDir, 'database'))

/** Opens the embedded database of a running server from outside; close it before anything is killed. */
export const openFromOutside = (dataDir: string): Database =>
  openDatabase({
    host: socketDirectoryOf(databaseFolder(dataDir)),
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    max: 2,
  })

const definition = (id: string) => {
  const found = DEFINITIONS.find((one) => one.id === id)
  if (!found) throw new Error(`no definition ${id}`)
  return found
}

/** A tenant with a file source and a SCIM target, and somebody who may import. */
export const seedCrashWorld = async (dataDir: string, publicUrl: string, targetUrl: string): Promise<CrashWorld> => {
  const { db, close } = openFromOutside(dataDir)
  try {
    const secrets = createSecrets(masterKey(undefined, dataDir))
    const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Crash test' } }
    const subject = uuidv7()
    const world = await db.transaction().execute(async (tx) => {
      const tenantId = await createTenant(tx, { name: 'Crash' }, by)
      const issuer = issuerOf(publicUrl)
      await createAdmin(tx, { tenantId, issuer, subject, name: 'Cara Crash', email: 'cara@test.example', roles: ['admin.tenant'] }, by)
      const add = (name: string, id: string, properties: Record<string, string>) =>
        createConnector(tx, { tenantId, name, definition: definition(id), properties, enabled: true }, { secrets, by })
      const source = await add('HR', 'file', {})
      const target = await add('Workplace', 'scim', {
        baseUrl: targetUrl,
        token: 'crash',
        userNameField: 'externalId',
        updateMethod: 'PUT',
      })
      return { tenantId, sourceId: source.id, targetId: target.id }
    })
    const mint = await createTokenMint({ db, secrets, publicUrl, clock: systemClock })
    return { ...world, token: await mint.accessToken({ sub: subject, lifetime: 86_400 }) }
  } finally {
    await close()
  }
}
