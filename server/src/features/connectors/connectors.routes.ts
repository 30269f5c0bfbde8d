import { DEFINITIONS, definitionOf } from '@instep/connectors/definitions.ts'
import * as contract from '@instep/contract/connectors.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { rotateWebhookSecret as rotateWebhookSecretCall } from '@instep/contract/webhook-secret.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { narrowSites, type Scope } from '../../platform/db/narrow-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { presentConnector, presentConnectorName, presentDefinition } from './connectors.presenter.ts'
import { type ConnectorKey, findConnector } from './connectors.store.ts'
import { countBySite, countConnectorPeople, listConnectors, listLocalConnectors, momentOf } from './connectors.views.ts'
import { createConnector } from './create-connector.ts'
import type { OpenTarget } from './open-target.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { testConnector } from './test-connector.ts'
import { updateConnector } from './update-connector.ts'

export interface ConnectorsDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Clock
  readonly openTarget: OpenTarget
}

/** Connectors: what kinds there are, which ones a tenant has, and their settings. */
export const connectorsRoutes = (deps: ConnectorsDeps): Route[] => [...readingRoutes(deps), ...changingRoutes(deps)]

const existing = async (db: Db, key: ConnectorKey) => {
  const row = await findConnector(db, key)
  if (!row) throw problem('NOT_FOUND')
  return row
}

const readingRoutes = ({ db, clock }: ConnectorsDeps): Route[] => [
  route(contract.listDefinitions, () => ({ data: DEFINITIONS.map(presentDefinition) })),

  route(contract.listConnectors, async ({ tenantId, actor }) => {
    const rows = await listConnectors(db, { tenantId, sites: actor.sites })
    return { data: rows.map(isTenantLevel(actor.roles) ? presentConnector : presentConnectorName) }
  }),

  route(contract.listLocalConnectors, async ({ tenantId }) => ({ data: (await listLocalConnectors(db, tenantId)).map(presentConnector) })),

  route(contract.getConnector, async ({ tenantId, params }) => presentConnector(await existing(db, { tenantId, id: params.id }))),

  route(contract.getConnectorStats, async ({ tenantId, actor, params, query: { siteId, asAt, bySite } }) => {
    const sites = await narrowSites(db, { tenantId, sites: actor.sites }, { siteId })
    const moment = await momentOf(db, tenantId, { day: asAt, now: clock.now() })
    const asked = { tenantId, sites, connectorId: params.id, before: moment }
    const [count, shares] = await Promise.all([countConnectorPeople(db, asked), bySite ? countBySite(db, asked) : null])
    const total = { totalUsers: count.value, exact: count.exact, asAt: moment.toISOString(), siteId: siteId ?? null }
    return { connectorId: params.id, ...total, sites: shares }
  }),

  route(contract.getSupportedFields, async ({ tenantId, connectorId, actor }) => {
    const definitions = await definitionsOf(db, { tenantId, sites: actor.sites, connectorId })
    return { data: [...new Set(definitions.flatMap(({ supportedFields }) => supportedFields))] }
  }),

  route(contract.getSupportedOperations, async ({ tenantId, connectorId, actor }) => {
    const definitions = await definitionsOf(db, { tenantId, sites: actor.sites, connectorId })
    return { data: [...new Set(definitions.flatMap(({ supportedOperations }) => supportedOperations))] }
  }),
]

/** The kind of one connector, or the kinds of all that the caller is offered. */
const definitionsOf = async (db: Db, { connectorId, ...scope }: Scope & { connectorId: string | undefined }) => {
  const rows = connectorId ? [await existing(db, { tenantId: scope.tenantId, id: connectorId })] : await listConnectors(db, scope)
  return rows.map((row) => definitionOf(row.definition_id)).filter((definition) => definition !== undefined)
}

const changingRoutes = ({ db, secrets, clock, openTarget }: ConnectorsDeps): Route[] => {
  const changeBy = (actor: Actor, correlationId: string) => ({
    secrets,
    by: { actor: { kind: 'admin' as const, id: actor.id, name: actor.name }, at: clock.now(), correlationId },
  })

  return [
    route(contract.createConnector, async ({ tenantId, actor, body: { definitionId, ...given }, correlationId }) => {
      const definition = definitionOf(definitionId)
      if (!definition) throw problem('DEFINITION_UNKNOWN')
      const row = await db
        .transaction()
        .execute((tx) => createConnector(tx, { ...given, tenantId, definition }, changeBy(actor, correlationId)))
      return presentConnector(row)
    }),

    route(contract.updateConnector, async ({ tenantId, actor, params, body, correlationId }) => {
      const change = { ...changeBy(actor, correlationId), definitionOf }
      return presentConnector(
        await db.transaction().execute((tx) => updateConnector(tx, { tenantId, id: params.id, update: body }, change)),
      )
    }),

    route(rotateWebhookSecretCall, ({ tenantId, actor, params, body, correlationId }) =>
      db.transaction().execute((tx) => rotateWebhookSecret(tx, { tenantId, id: params.id, ...body }, changeBy(actor, correlationId))),
    ),

    route(contract.testConnector, async ({ tenantId, params, signal }) => {
      const row = await existing(db, { tenantId, id: params.id })
      if (row.kind !== 'target') throw problem('CONNECTOR_KIND_WRONG')
      return testConnector(() => openTarget(tenantId, params.id), signal)
    }),
  ]
}
