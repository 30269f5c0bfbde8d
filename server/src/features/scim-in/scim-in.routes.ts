import * as contract from '@instep/contract/scim-in.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Context } from '../../platform/http/route.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { assertScimSource, readScimStatus } from './scim-status.views.ts'
import { listTokens } from './scim-tokens.store.ts'
import { createToken, presentToken, revokeToken, rotateToken, type TokenChange } from './scim-tokens.ts'

export interface ScimInDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  /** Where the server is reached, without a slash at the end. */
  readonly publicUrl: string
}

/** The SCIM address of a connector, its tokens, and what was pushed. The SCIM calls themselves are in `serve-scim.ts`. */
export const scimInRoutes = ({ db, clock, secrets, publicUrl }: ScimInDeps): Route[] => {
  const changeOf = ({
    tenantId,
    params,
    actor,
    correlationId,
  }: Pick<Context<never>, 'tenantId' | 'actor' | 'correlationId'> & { params: { connectorId: string } }): TokenChange => ({
    tenantId,
    connectorId: params.connectorId,
    actor: { kind: 'admin', id: actor.id, name: actor.name },
    at: clock.now(),
    correlationId,
    secrets,
  })

  return [
    route(contract.getScimStatus, async ({ tenantId, params: { connectorId } }) => {
      const place = { tenantId, connectorId }
      await assertScimSource(db, place)
      return { baseUrl: `${publicUrl}/scim/v2/${connectorId}`, ...(await readScimStatus(db, place)) }
    }),

    route(contract.listScimTokens, async ({ tenantId, params: { connectorId } }) => {
      const place = { tenantId, connectorId }
      await assertScimSource(db, place)
      const now = clock.now()
      return { data: (await listTokens(db, place)).map((row) => presentToken(row, now)) }
    }),

    route(contract.createScimToken, (context) => db.transaction().execute((tx) => createToken(tx, context.body, changeOf(context)))),

    route(contract.rotateScimToken, (context) =>
      db.transaction().execute((tx) => rotateToken(tx, { ...context.body, tokenId: context.params.tokenId }, changeOf(context))),
    ),

    route(contract.revokeScimToken, async (context) => {
      await db.transaction().execute((tx) => revokeToken(tx, context.params.tokenId, changeOf(context)))
      return undefined
    }),
  ]
}
