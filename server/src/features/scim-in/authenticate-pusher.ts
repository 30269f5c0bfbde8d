import type { Clock } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { NO_TENANT } from '../../platform/ids.ts'
import type { Pusher } from './push.ts'
import { isResourceId } from './resource-id.rules.ts'
import { ScimError } from './scim-error.ts'
import { findPusher, markTokenUsed } from './scim-tokens.store.ts'
import { hashToken } from './scim-tokens.ts'

const MINUTE = 60_000

/**
 * Finds who pushes to the connector in the path. A token that is wrong, expired or another connector's, a connector that is disabled, of another
 * kind or not there: all the same 401, after the same look-up.
 */
export const createPusherCheck =
  ({ db, clock, secrets }: { db: Db; clock: Clock; secrets: Pick<Secrets, 'sign'> }) =>
  async (connectorId: string, authorization: string | undefined): Promise<Pusher> => {
    const [scheme, token = ''] = (authorization ?? '').split(' ')
    const now = clock.now()
    const asked = isResourceId(connectorId) ? connectorId.toLowerCase() : NO_TENANT
    const found = await findPusher(db, { connectorId: asked, hash: hashToken(secrets, token), now })
    if (scheme?.toLowerCase() !== 'bearer' || !found) throw new ScimError(401, 'The bearer token is not valid here.')
    const { lastUsedAt, ...pusher } = found
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= MINUTE) await markTokenUsed(db, pusher, now)
    return pusher
  }
