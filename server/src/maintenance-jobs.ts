import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { SYNCS_KEPT_DAYS } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { sweepExports } from './features/exports/public.ts'
import { lapseOverrides } from './features/overrides/public.ts'
import { foldTargetCounts } from './features/provisioning/public.ts'
import { actOnDates } from './features/sync/public.ts'
import { foldCounts, resolveNewReferences } from './features/users/public.ts'
import type { Clock } from './platform/clock.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { Db } from './platform/db/database.ts'
import { rotateKeys } from './platform/identity/keys.ts'
import { removeExpired } from './platform/identity/remove-expired.ts'
import type { ScheduledJob } from './platform/queue/scheduled-jobs.ts'

/** Uploads nobody planned a run from are kept this long. */
const UNUSED_FILE_DAYS = 7
const STAGED_DAYS = 30

interface MaintenanceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly dataDir: string
  readonly secrets: Secrets
  /** Tells the provisioner that there is something to do. */
  readonly nudge: () => void
  /** Starts what the schedules of sources say. */
  readonly runSchedules: () => Promise<void>
  /** Sends the mails that are due. */
  readonly sendMessages: () => Promise<void>
}

/** What has to be done by the clock: partitions made ahead, what expired removed. */
export const maintenanceJobs = ({ db, clock, dataDir, secrets, nudge, runSchedules, sendMessages }: MaintenanceDeps): ScheduledJob[] => [
  {
    name: 'maintenance.partitions',
    cron: '11 3 * * *',
    run: async () => {
      await sql`select ensure_event_partitions(${clock.now()}::date, 3)`.execute(db)
    },
  },
  {
    name: 'maintenance.identity',
    cron: '*/15 * * * *',
    run: async () => {
      await rotateKeys({ db, secrets }, clock.now())
      await removeExpired(db, clock.now())
    },
  },
  { name: 'maintenance.exports', cron: '21 * * * *', run: () => sweepExports(dataDir, clock.now()) },
  {
    name: 'overrides.lapse',
    cron: '*/5 * * * *',
    run: async () => {
      if ((await lapseOverrides(db, clock.now())) > 0) nudge()
    },
  },
  {
    name: 'maintenance.counts',
    cron: '*/2 * * * *',
    run: async () => {
      await foldCounts(db)
      await foldTargetCounts(db)
    },
  },
  {
    name: 'dates.act',
    cron: '*/5 * * * *',
    run: async () => {
      if ((await actOnDates(db, clock.now())) > 0) nudge()
    },
  },
  {
    name: 'reportingLines.resolve',
    cron: '*/5 * * * *',
    run: async () => {
      await resolveNewReferences(db)
    },
  },
  { name: 'sources.schedules', cron: '* * * * *', run: runSchedules },
  { name: 'messages.send', cron: '* * * * *', run: sendMessages },
  { name: 'maintenance.files', cron: '41 2 * * *', run: () => removeUnusedFiles({ db, clock, dataDir }) },
  {
    name: 'maintenance.syncedPeople',
    cron: '1 2 * * *',
    run: async () => {
      await sql`
        delete from synced_people s using runs r
        where r.tenant_id = s.tenant_id and r.id = s.run_id
          and r.created_at < ${clock.now()}::timestamptz - make_interval(days => ${SYNCS_KEPT_DAYS})`.execute(db)
    },
  },
  {
    name: 'maintenance.staged',
    cron: '51 2 * * *',
    run: async () => {
      await sql`
        delete from staged_records s using runs r
        where r.id = s.run_id and r.finished_at < ${clock.now()}::timestamptz - make_interval(days => ${STAGED_DAYS})`.execute(db)
    },
  },
]

const removeUnusedFiles = async ({ db, clock, dataDir }: Pick<MaintenanceDeps, 'db' | 'clock' | 'dataDir'>): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    update files set deleted_at = ${clock.now()}
    where deleted_at is null and created_at < ${clock.now()}::timestamptz - make_interval(days => ${UNUSED_FILE_DAYS})
      and not exists (select from runs r where r.tenant_id = files.tenant_id and r.input ->> 'fileId' = files.id::text and r.finished_at is null)
    returning id`.execute(db)
  const folder = path.join(dataDir, 'files')
  const there = new Set(await readdir(folder).catch(() => []))
  for (const { id } of rows) if (there.has(id)) await rm(path.join(folder, id), { force: true })
}
