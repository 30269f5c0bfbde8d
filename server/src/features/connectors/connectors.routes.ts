import { DEFINITIONS } from '@instep/connectors/definitions.ts'
import * as contract from '@instep/contract/connectors.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { presentConnector, presentConnectorName, presentDefinition } from './connectors.presenter.ts'
import { type ConnectorKey, findConnector } from './connectors.store.ts'
import { countConnectorPeople, listConnectors, listLocalConnectors } from './connectors.views.ts'
import { createConnector } from './create-connector.ts'
import type { OpenTarget } from './open-target.ts'
import { testConnector } from './test-connector.ts'
import { updateConnector } from './update-connector.ts'

export interface ConnectorsDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Clock
  readonly openTarget: OpenTarget
}

const definitionOf = (id: string) => DEFINITIONS.find((definition) => definition.id === id)

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

  route(contract.getConnectorStats, async ({ tenantId, actor, params, query: { siteId } }) => {
    const count = await countConnectorPeople(db, { tenantId, sites: actor.sites }, { connectorId: params.id, siteId })
    return { connectorId: params.id, totalUsers: count.value, asAt: clock.now().toISOString(), siteId: siteId ?? null, count }
  }),
]

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

    route(contract.testConnector, async ({ tenantId, params, signal }) => {
      const row = await existing(db, { tenantId, id: params.id })
      if (row.kind !== 'target') throw problem('CONNECTOR_KIND_WRONG')
      return testConnector(() => openTarget(tenantId, params.id), signal)
    }),
  ]
}
