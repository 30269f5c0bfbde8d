import * as contract from '@instep/contract/sources.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { eventActor } from './event-actor.ts'
import { sampleSource, testSource } from './look-at-source.ts'
import { shownRun } from './runs.views.ts'
import { previewTimes, setSchedule, showSchedule } from './set-schedule.ts'
import { anySource } from './source-for-fetch.ts'
import { viewSource } from './sources.views.ts'
import { fetchNow } from './start-fetch.ts'
import type { SyncDeps } from './sync-deps.ts'

const scheduleRoutes = (deps: SyncDeps): Route[] => [
  route(contract.getSchedule, async ({ tenantId, params: { connectorId } }) => {
    await anySource(deps.db, { tenantId, connectorId })
    return { schedule: await showSchedule(deps.db, { tenantId, connectorId }, deps.clock.now()) }
  }),
  route(contract.setSchedule, async ({ tenantId, params, body, actor, correlationId }) => ({
    schedule: await setSchedule(deps, { tenantId, ...params, values: body, by: eventActor(actor), correlationId }),
  })),
  route(contract.previewSchedule, ({ body }) => ({ next: previewTimes(body, deps.clock.now()) })),
]

/** The calls of sources that are fetched. */
export const sourcesRoutes = (deps: SyncDeps): Route[] => [
  route(contract.getSourceState, async ({ tenantId, params: { connectorId } }) => {
    await anySource(deps.db, { tenantId, connectorId })
    return viewSource(deps, { tenantId, connectorId })
  }),
  route(contract.testSource, ({ tenantId, params, body, actor, correlationId, signal }) =>
    testSource(deps, { tenantId, ...params, hostKey: body.hostKey, by: eventActor(actor), correlationId, signal }),
  ),
  route(contract.sampleSource, ({ tenantId, params, actor, correlationId, signal }) =>
    sampleSource(deps, { tenantId, ...params, by: eventActor(actor), correlationId, signal }),
  ),
  route(contract.fetchNow, async ({ tenantId, params, body, actor, correlationId }) => {
    const { id } = await fetchNow(deps, { tenantId, ...params, dryRun: body.dryRun, by: eventActor(actor), correlationId })
    return shownRun(deps.db, { tenantId, runId: id })
  }),
  ...scheduleRoutes(deps),
]
