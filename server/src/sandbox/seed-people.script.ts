import path from 'node:path'
import { ConfigError, readConfig } from '../config.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { systemClock } from '../platform/clock.ts'
import { masterKey } from '../platform/crypto/master-key.ts'
import { createSecrets } from '../platform/crypto/secrets.ts'
import { DatabaseRefusal } from '../platform/db/database-refusal.ts'
import { migrate } from '../platform/db/migrate.ts'
import { issuerOf } from '../platform/identity/identity-settings.ts'
import { demonstrationTenant, seedDemonstration } from './seed-demonstration.ts'
import { seedPeople } from './seed-people.ts'

/** `npm run seed -- --users 10000`: puts that many invented people into the first demonstration tenant. Run it while the server is stopped. */

const option = (name: string, standard: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? standard : Number(process.argv[at + 1])
  if (!Number.isInteger(value) || value < 1) throw new ConfigError(`--${name} takes a whole number from 1.`)
  return value
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
    const onProgress = (done: number) => process.stdout.write(`${done} of ${users}\n`)
    await seedPeople(db, { tenantId: demonstrationTenant('northwind'), users, secrets, onProgress })
  } finally {
    await close()
  }
}

seed().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof DatabaseRefusal
  process.stderr.write(`${known ? error.message : (error as Error).stack}\n`)
  process.exit(1)
})
