import * as contract from '@instep/contract/sources.ts'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { sampleSource, testSource } from './look-at-source.ts'
import { findNamedRun, presentRun } from './runs.views.ts'
import { previewTimes, setSchedule, showSchedule } from './set-schedule.ts'
import { anySource } from './source-for-fetch.ts'
import { viewSource } from './sources.views.ts'
import { fetchNow } from './start-fetch.ts'
import type { SyncDeps } from './sync-deps.ts'

const eventActor = (actor: Actor): EventActor => ({ kind: 'admin', id: actor.id, name: actor.name })

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
    const run = await findNamedRun(deps.db, { tenantId, runId: id })
    if (!run) throw problem('NOT_FOUND')
    return presentRun(run)
  }),
  ...scheduleRoutes(deps),
]
