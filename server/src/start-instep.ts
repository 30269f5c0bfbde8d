import path from 'node:path'
import { type App, buildApp } from './app.ts'
import type { Config } from './config.ts'
import { followIssuer } from './features/admins/public.ts'
import { releaseAllLeases as releaseAccounts, releaseAllGroupLeases } from './features/provisioning/public.ts'
import { sweepUploads } from './features/sync/public.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { maintenanceJobs } from './maintenance-jobs.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { systemClock } from './platform/clock.ts'
import { masterKey } from './platform/crypto/master-key.ts'
import { createSecrets } from './platform/crypto/secrets.ts'
import type { Database } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { issuerOf } from './platform/identity/identity-settings.ts'
import { startScheduledJobs } from './platform/queue/scheduled-jobs.ts'
import { releaseAllLeases as releaseRuns } from './platform/runs/lease.ts'
import { freePort, type SandboxProcess, startSandboxProcess } from './sandbox/sandbox-process.ts'
import { seedDemonstration } from './sandbox/seed-demonstration.ts'
import { DEMONSTRATION_ADMINS, SANDBOX_PASSWORD } from './sandbox/sign-ins.ts'

export interface Instep {
  /** Address of the console. */
  readonly url: string
  /** What a person who started it wants to know. */
  readonly greeting: readonly string[]
  stop(): Promise<void>
}

const startSandbox = (config: Config): Promise<SandboxProcess | undefined> =>
  config.SANDBOX
    ? startSandboxProcess({ port: config.SANDBOX_PORT, people: config.SANDBOX_PEOPLE, dataDir: path.join(config.DATA_DIR, 'sandbox') })
    : Promise.resolve(undefined)

/** Starts everything the settings ask for: database, migrations, sandbox, server, workers, scheduled jobs. */
export const startInstep = async (given: Config): Promise<Instep> => {
  const config = given.PORT === 0 ? await withFreePort(given) : given
  const [database, sandbox] = await Promise.all([openConfiguredDatabase(config), startSandbox(config)])
  const { db, pool } = database
  await migrate(db)
  // the embedded database serves one process at a time: whoever held a lease or was uploading is gone
  if (database.embedded)
    await Promise.all([releaseRuns(db), releaseAccounts(db), releaseAllGroupLeases(db), sweepUploads(db, config.DATA_DIR)])
  const clock = systemClock
  const secrets = createSecrets(masterKey(config.SECRET_KEY, config.DATA_DIR))
  const issuer = config.IDENTITY_EXTERNAL?.issuer ?? issuerOf(config.PUBLIC_URL)
  if (sandbox) await seedDemonstration({ db, clock, secrets, issuer, sandboxUrl: sandbox.url })
  if (!config.IDENTITY_EXTERNAL) await followIssuer(db, issuer)
  const firstAdmin = await ensureFirstAdmin(config, { db, clock, issuer })
  const app = await buildApp({
    config,
    db,
    pool,
    clock,
    secrets,
    ...(sandbox ? { sandboxSignIns: signIns(), sandboxUrl: sandbox.url } : {}),
  })
  await app.http.listen({ port: config.PORT, host: config.HOST })
  const stopJobs = config.WORKERS ? await startWork(app, { db, pool, clock, secrets, dataDir: config.DATA_DIR }) : async () => {}
  return {
    url: config.PUBLIC_URL,
    greeting: [...greeting(config, sandbox), ...firstAdmin],
    stop: async () => {
      const ends = await Promise.allSettled([app.stop(), stopJobs()])
      for (const end of ends) if (end.status === 'rejected') app.http.log.error({ err: end.reason }, 'could not be stopped cleanly')
      await Promise.all([database.close(), sandbox?.stop()])
    },
  }
}

const withFreePort = async (config: Config): Promise<Config> => {
  const PORT = await freePort()
  return { ...config, PORT, PUBLIC_URL: config.PUBLIC_URL === 'http://localhost:0' ? `http://localhost:${PORT}` : config.PUBLIC_URL }
}

type WorkDeps = Omit<Parameters<typeof maintenanceJobs>[0], 'nudge' | 'runSchedules' | 'sendMessages'> & { pool: Database['pool'] }

const startWork = (app: App, deps: WorkDeps): Promise<() => Promise<void>> => {
  app.startWorkers()
  return startScheduledJobs(
    maintenanceJobs({ ...deps, nudge: app.nudgeProvisioning, runSchedules: app.runSchedules, sendMessages: app.sendMessages }),
    {
      pool: deps.pool,
      log: app.http.log,
    },
  )
}

const signIns = () => DEMONSTRATION_ADMINS.map(({ name, email, role }) => ({ name, email, role, password: SANDBOX_PASSWORD }))

const greeting = (config: Config, sandbox: SandboxProcess | undefined): string[] => {
  const lines = ['', `  Instep     ${config.PUBLIC_URL}`]
  if (!sandbox) return [...lines, '']
  const people = DEMONSTRATION_ADMINS.map(({ name, email, role }) => `    ${email.padEnd(26)} ${role.padEnd(16)} ${name}`)
  return [
    ...lines,
    `  HR system  ${sandbox.url}/hr`,
    `  Workplace  ${sandbox.url}/workplace/northwind`,
    '',
    `  Sandbox sign-ins, all with the password ${SANDBOX_PASSWORD}:`,
    ...people,
    '',
    '  Ctrl-C stops it.',
    '',
  ]
}
