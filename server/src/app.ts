import path from 'node:path'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { definitionOf } from '@instep/connectors/definitions.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createAuthenticate } from './authenticate.ts'
import type { Config } from './config.ts'
import { actorLoader, adminRoles } from './features/admins/public.ts'
import { connectorsRoutes } from './features/connectors/connectors.routes.ts'
import {
  CONFORMANCE_RUN,
  conformanceHandler,
  connectorHome,
  manualConnector,
  type OpenSource,
  openTarget,
  openTargetConformance,
} from './features/connectors/public.ts'
import { scimTargetRoutes } from './features/connectors/scim-target.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { exportsRoutes } from './features/exports/exports.routes.ts'
import { EXPORT_RUN, exportHandler, presentListRun } from './features/exports/public.ts'
import { logsRoutes } from './features/logs/logs.routes.ts'
import { lookupsRoutes } from './features/lookups/lookups.routes.ts'
import { outboxRoutes } from './features/messaging/outbox.routes.ts'
import { createSendMail, sendMessages } from './features/messaging/public.ts'
import { overridesRoutes } from './features/overrides/overrides.routes.ts'
import { CLEAR_RUN, clearOverridesHandler } from './features/overrides/public.ts'
import { driftRoutes } from './features/provisioning/drift.routes.ts'
import { targetGroupsRoutes } from './features/provisioning/groups/target-groups.routes.ts'
import { createProvisioner } from './features/provisioning/provisioner.ts'
import { provisioningRoutes } from './features/provisioning/provisioning.routes.ts'
import { DRIFT_RUN, driftHandler, runDueDrift, SYNC_USERS_RUN, syncUsersHandler } from './features/provisioning/public.ts'
import { targetPolicyRoutes } from './features/provisioning/target-policy.routes.ts'
import { tasksRoutes } from './features/provisioning/tasks/tasks.routes.ts'
import { userSyncRoutes } from './features/provisioning/user-sync.routes.ts'
import { savedViewsRoutes } from './features/saved-views/saved-views.routes.ts'
import { serveScim } from './features/scim-in/public.ts'
import { scimInRoutes } from './features/scim-in/scim-in.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { EMPTY_SITE_RUN, emptySiteHandler } from './features/sites/public.ts'
import { sitesRoutes } from './features/sites/sites.routes.ts'
import { hastenSchedule, runDueSchedules, syncHandler, syncRecord, syncRecords, tellSilence } from './features/sync/public.ts'
import { sourcesRoutes } from './features/sync/sources.routes.ts'
import { syncRoutes } from './features/sync/sync.routes.ts'
import { findTenant, tenantExists } from './features/tenants/public.ts'
import { tenantsRoutes } from './features/tenants/tenants.routes.ts'
import { movePeople, suggestManagers } from './features/users/public.ts'
import { userEditsRoutes } from './features/users/user-edits.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { openApiDocument } from './openapi-document.ts'
import { sourcesOf, targetsOf } from './outside-systems.ts'
import type { Clock } from './platform/clock.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { Db } from './platform/db/database.ts'
import { missingMigrations } from './platform/db/migrate.ts'
import { serveApiReference } from './platform/http/api-reference.ts'
import { createContinuation } from './platform/http/continuation.ts'
import { allowEmptyBodies } from './platform/http/empty-bodies.ts'
import { answerUnroutable, handleErrors } from './platform/http/error-handler.ts'
import { serveHealth } from './platform/http/health.ts'
import { serveMetrics } from './platform/http/metrics.ts'
import { registerRoutes } from './platform/http/register-routes.ts'
import { secureHeaders } from './platform/http/security-headers.ts'
import { serveConsole } from './platform/http/serve-console.ts'
import type { SandboxSignIn } from './platform/identity/identity-settings.ts'
import { uuidv7 } from './platform/ids.ts'
import { createRunWorker } from './platform/runs/run-worker.ts'
import { serveIdentity } from './serve-identity.ts'

export interface AppDeps {
  readonly config: Config
  readonly db: Db
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly secrets: Secrets
  /** Offered on the sign-in page; only in the sandbox. */
  readonly sandboxSignIns?: readonly SandboxSignIn[]
  /** Address of the sandbox, where there is one. */
  readonly sandboxUrl?: string
  /** Checks every answer against the contract (tests). */
  readonly checkResponses?: boolean
}

export interface App {
  readonly http: FastifyInstance
  /** Tells the provisioner that accounts are owed. */
  nudgeProvisioning(): void
  /** Starts what schedules say, and gives the alarm for sources that say nothing. */
  runSchedules(): Promise<void>
  /** Sends the mails that are due; without a mail server they stay in the outbox. */
  sendMessages(): Promise<void>
  /** Starts carrying out runs and provisioning. */
  startWorkers(): void
  /** Takes no more calls and no more work, and waits for what is in hand. */
  stop(): Promise<void>
}

const CONSOLE = path.resolve(import.meta.dirname, '../../console/dist')

/** Where everything meets: platform, features, pages and workers. */
export const buildApp = async (deps: AppDeps): Promise<App> => {
  const { config, db } = deps
  const http = Fastify({
    logger: { level: config.LOG_LEVEL, redact: ['req.headers.authorization', 'req.headers.cookie'] },
    genReqId: () => uuidv7(),
    frameworkErrors: answerUnroutable,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true,
    trustProxy: config.TRUST_PROXY === '' ? false : config.TRUST_PROXY,
  })
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-correlation-id', request.id)
  })
  const bases = Object.values(config.SERVICE_BASES).map((base) => new URL(base).origin)
  const external = config.IDENTITY_EXTERNAL ? [new URL(config.IDENTITY_EXTERNAL.issuer).origin] : []
  await secureHeaders(http, { origins: [...bases, ...external], https: config.PUBLIC_URL.startsWith('https:') })
  await http.register(compress, { global: true, encodings: ['br', 'gzip'] })
  await http.register(multipart, { limits: { files: 1, fields: 10, fileSize: config.MAX_FILE_BYTES + 1 } })
  allowEmptyBodies(http)
  handleErrors(http)

  const workers = createWorkers(deps, http)
  await serveCalls(http, deps, workers)
  await serveScim(http, { ...deps, publicUrl: config.PUBLIC_URL, onPushed: workers.pushed })
  serveHealth(http, async () => {
    const missing = await missingMigrations(db)
    if (missing.length) throw new Error(`migrations not applied: ${missing.join(', ')}`)
  })
  await serveMetrics(http, { token: config.METRICS_TOKEN, port: config.METRICS_PORT, host: config.HOST, gauges: [] })
  await serveApiReference(http, openApiDocument())
  await serveConsole(http, CONSOLE)

  const mail = config.SMTP_URL ? createSendMail({ url: config.SMTP_URL, from: config.MAIL_FROM ?? '' }) : undefined
  return {
    http,
    nudgeProvisioning: () => workers.nudgeProvisioning(),
    runSchedules: workers.runSchedules,
    sendMessages: async () => {
      await sendMessages({ db, clock: deps.clock, publicUrl: config.PUBLIC_URL, send: mail })
    },
    startWorkers: workers.start,
    stop: async () => {
      await Promise.all([http.close(), workers.stop()])
    },
  }
}

interface Workers {
  readonly open: ReturnType<typeof openTarget>
  readonly openSource: OpenSource
  nudgeRuns(): void
  nudgeProvisioning(targetId?: string): void
  runSchedules(): Promise<void>
  /** Something was pushed to a connector. */
  pushed(connectorId: string): void
  start(): void
  stop(): Promise<void>
}

const createWorkers = (deps: AppDeps, http: FastifyInstance): Workers => {
  const { config, db, clock, secrets, pool } = deps
  const log = http.log
  const open = openTarget({ db, secrets, factories: targetsOf(deps) })
  const provisioner = createProvisioner({
    db,
    clock,
    log,
    openTarget: open,
    concurrency: config.PROVISIONING_CONCURRENCY,
    random: Math.random,
  })
  const fetching = { openSource: sourcesOf(deps), dataDir: config.DATA_DIR, maxFileBytes: config.MAX_FILE_BYTES }
  const sync = syncHandler({ db, pool, clock, ...fetching, onApplied: provisioner.nudge })
  const openConformance = openTargetConformance({ db, secrets, scim: { allowPrivate: config.SOURCES_ALLOW_PRIVATE } })
  const handlers = {
    sync,
    [EXPORT_RUN]: exportHandler({ db, clock, dataDir: config.DATA_DIR }),
    [CLEAR_RUN]: clearOverridesHandler({ db, clock, onCleared: provisioner.nudge }),
    [EMPTY_SITE_RUN]: emptySiteHandler({ db, clock, movePeople }),
    [CONFORMANCE_RUN]: conformanceHandler({ db, clock, openConformance }),
    [DRIFT_RUN]: driftHandler({ db, clock, openTarget: open, onPutBack: provisioner.nudge }),
  }
  const runs = createRunWorker({ db, clock, log, handlers, pollMilliseconds: 1000 })
  // it waits for runs that bring records in: it must not take the place of one
  const syncing = { db, pool, clock, ...fetching, nudge: runs.nudge }
  const syncUsers = syncUsersHandler({ db, clock, log, openTarget: open, syncRecords: (asked) => syncRecords(syncing, asked) })
  const waiting = createRunWorker({ db, clock, log, handlers: { [SYNC_USERS_RUN]: syncUsers }, pollMilliseconds: 1000 })
  const nudgeRuns = () => {
    runs.nudge()
    waiting.nudge()
  }
  return {
    open,
    openSource: fetching.openSource,
    nudgeRuns,
    nudgeProvisioning: provisioner.nudge,
    runSchedules: async () => {
      await runDueSchedules({ db, clock, nudge: runs.nudge })
      await tellSilence({ db, clock })
      await runDueDrift({ db, clock, nudge: runs.nudge })
    },
    pushed: (connectorId) => {
      // the schedule's own time comes all the same
      hastenSchedule(db, { connectorId, now: clock.now() }).catch((error: unknown) => log.error({ err: error }, 'a push was not hastened'))
    },
    start: () => {
      runs.start()
      waiting.start()
      provisioner.start()
    },
    stop: async () => {
      await Promise.all([waiting.stop(), runs.stop(), provisioner.stop()])
    },
  }
}

const serveCalls = async (http: FastifyInstance, deps: AppDeps, workers: Workers): Promise<void> => {
  const { config, db, pool, clock, secrets } = deps
  const verifier = await serveIdentity(http, { ...deps, rolesOf: (issuer, sub) => adminRoles(db, { issuer, subject: sub }) })
  const continuation = createContinuation(secrets)
  const maintenanceEnd = async (tenantId: string) => {
    const endsAt = (await findTenant(db, tenantId, clock.now()))?.maintenance.endsAt
    return endsAt ? new Date(endsAt) : undefined
  }
  const shared = { db, pool, clock, secrets, continuation, openTarget: workers.open }
  const { openSource, nudgeRuns } = workers
  const syncing = { ...shared, openSource, dataDir: config.DATA_DIR, maxFileBytes: config.MAX_FILE_BYTES, nudge: nudgeRuns }
  const targets = { ...shared, connectorHome: (id: string) => connectorHome(db, id), nudge: workers.nudgeProvisioning, nudgeRuns }
  await http.register(
    async (scope) =>
      registerRoutes(
        scope,
        [
          ...tenantsRoutes(shared),
          ...sitesRoutes({ ...shared, movePeople, nudge: workers.nudgeRuns }),
          ...connectorsRoutes(shared),
          ...scimTargetRoutes({ ...shared, nudgeRuns: workers.nudgeRuns, nudgeProvisioning: workers.nudgeProvisioning }),
          ...scimInRoutes({ ...shared, publicUrl: config.PUBLIC_URL }),
          ...usersRoutes(shared),
          ...userEditsRoutes({ ...shared, definitionOf, manualConnector: (tx, given) => manualConnector(tx, { ...given, secrets }) }),
          ...syncRoutes(syncing),
          ...sourcesRoutes(syncing),
          ...provisioningRoutes(targets),
          ...tasksRoutes({ ...shared, nudge: workers.nudgeProvisioning }),
          ...targetPolicyRoutes(targets),
          ...targetGroupsRoutes(targets),
          ...userSyncRoutes({ ...targets, log: http.log, presentRun: presentListRun, syncRecord: (asked) => syncRecord(syncing, asked) }),
          ...driftRoutes(targets),
          ...settingsRoutes(shared),
          ...lookupsRoutes({ ...shared, suggestManagers }),
          ...savedViewsRoutes(shared),
          ...overridesRoutes({ ...shared, nudge: workers.nudgeRuns }),
          ...exportsRoutes({ ...shared, dataDir: config.DATA_DIR, nudge: workers.nudgeRuns }),
          ...logsRoutes(shared),
          ...outboxRoutes({ ...shared, publicUrl: config.PUBLIC_URL }),
          ...dashboardRoutes(shared),
        ],
        {
          authenticate: createAuthenticate({ verify: verifier.verify, loadActor: actorLoader(pool) }),
          places: { connectorHome: (id) => connectorHome(db, id), tenantExists: (id) => tenantExists(db, id), maintenanceEnd },
          checkResponses: deps.checkResponses ?? false,
        },
      ),
    { prefix: '/v1' },
  )
}
