import { sql } from 'kysely'
import { type Config, ConfigError } from './config.ts'
import { createAdmin } from './features/admins/public.ts'
import type { Clock } from './platform/clock.ts'
import type { Db } from './platform/db/database.ts'
import { seedAccount } from './platform/identity/accounts.ts'
import { createSetupLink } from './platform/identity/setup-links.ts'
import { uuidv7 } from './platform/ids.ts'

const hasAdmin = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from admins where 'admin.super' = any (roles) and disabled_at is null limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Makes the first super administrator where there is none: with the embedded provider the lines hold a link, printed once, with which the
 * password is chosen; with an external one the administrator is bound to the `subject` given.
 *
 * @returns lines for the person who started the server
 * @throws ConfigError when there is no administrator and `FIRST_ADMIN` does not name one
 */
export const ensureFirstAdmin = async (
  config: Config,
  { db, clock, issuer }: { db: Db; clock: Clock; issuer: string },
): Promise<string[]> => {
  if (await hasAdmin(db)) return []
  const first = config.FIRST_ADMIN
  if (!first)
    throw new ConfigError('FIRST_ADMIN is needed at the first start: {"email": "…", "name": "…"} names the first super administrator.')
  if (config.IDENTITY_EXTERNAL && !first.subject)
    throw new ConfigError('FIRST_ADMIN needs "subject" with an external provider: the value of its subject claim.')
  const subject = first.subject ?? (await seedAccount(db, first)).id
  const at = clock.now()
  await db
    .transaction()
    .execute((tx) =>
      createAdmin(
        tx,
        { tenantId: null, issuer, subject, name: first.name, email: first.email, roles: ['admin.super'] },
        { at, correlationId: uuidv7(at.getTime()), actor: { kind: 'system', id: null, name: 'Instep' } },
      ),
    )
  if (config.IDENTITY_EXTERNAL) return [`  ${first.email} is the first administrator.`, '']
  const link = await createSetupLink(db, subject, { now: at })
  return [`  ${first.email} chooses a password at ${config.PUBLIC_URL}${link.path} (once, until ${link.expiresAt.toISOString()}).`, '']
}
