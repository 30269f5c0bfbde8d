import type { Target } from '@instep/connectors/kit/target.ts'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { type ScimStandIn, startScimStandIn } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { DEFAULT_TARGET_POLICY, type TargetPolicy } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { silentLog } from '../../../platform/log.ts'
import { addConnector, addPeople } from '../../../testing/people.ts'
import { markPending } from '../mark-pending.ts'
import { writePolicy } from '../policy.store.ts'
import { createProvisioner, type Provisioner, type ProvisionerOptions } from '../provisioner.ts'

export interface AccountRow {
  readonly user_id: string
  readonly state: string
  readonly attempts: number
  readonly cause: string | null
  readonly last_error: string | null
  readonly remote_id: string | null
  readonly uncertain: boolean
  readonly lease_owner: string | null
  readonly next_try_at: Date | number
  readonly removal: string | null
  readonly applied_document: Record<string, unknown> | null
}

/** A tenant with a source, a target and a stand-in behind it, on a clock that only moves when told. */
export interface ProvisioningWorld {
  readonly tenantId: string
  readonly connectorId: string
  readonly targetId: string
  readonly standIn: ScimStandIn
  readonly clock: { now(): Date; advance(seconds: number): void }
  /** Settings of the target that differ from the usual, e.g. `updateMethod`. */
  readonly settings: Record<string, unknown>
  /** How long the target is waited for from its next opening on, in real time. */
  readonly limits: { timeoutMs: number }
  /** What is done at the target from now on, where it differs from the defaults. */
  policy(policy: Partial<TargetPolicy>): Promise<void>
  people(count: number): Promise<string[]>
  /** Changes one person and marks the account pending, as every feature does: in one transaction. */
  change(userId: string, columns: Record<string, string | boolean | null>): Promise<void>
  mark(...userIds: string[]): Promise<string>
  rows(): Promise<AccountRow[]>
  row(userId: string): Promise<AccountRow>
  events(): Promise<{ type: string; correlation_id: string; subject_id: string | null; data: Record<string, unknown> }[]>
  /** `METHOD path` of everything the stand-in was asked, without ids. */
  asked(): string[]
  scim(): Target
  provisioner(options?: Partial<ProvisionerOptions>): Provisioner
  close(): Promise<void>
}

/** What a test asks of the database, within its own tenant. */
const databaseSide = (db: Db, { tenantId, connectorId }: { tenantId: string; connectorId: string }) => {
  let made = 0
  const rows = async () => {
    const found = await db.selectFrom('target_accounts').selectAll().where('tenant_id', '=', tenantId).orderBy('user_id').execute()
    return found as unknown as AccountRow[]
  }
  return {
    rows,
    row: async (userId: string) => {
      const row = (await rows()).find((one) => one.user_id === userId)
      if (!row) throw new Error(`no row for ${userId}`)
      return row
    },
    events: async () => {
      const found = await db.selectFrom('events').selectAll().where('tenant_id', '=', tenantId).orderBy('id').execute()
      return found as unknown as Awaited<ReturnType<ProvisioningWorld['events']>>
    },
    people: (count: number) =>
      addPeople(
        db,
        { tenantId, connectorId },
        Array.from({ length: count }, () => {
          made += 1
          return { external_id: `E-${made}`, work_email: `person.${made}@example.com`, given_name: `Given${made}`, title: 'Clerk' }
        }),
      ),
    mark: async (...userIds: string[]) => {
      const correlationId = uuidv7()
      const users = sql`select unnest(${userIds}::uuid[]) as user_id`
      await db.transaction().execute((tx) => markPending(tx, { tenantId, users, correlationId }))
      return correlationId
    },
    change: (userId: string, columns: Record<string, string | boolean | null>) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('users')
          .set({ ...columns, version: sql`version + 1` })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', userId)
          .execute()
        await markPending(tx, { tenantId, users: sql`select ${userId}::uuid as user_id`, correlationId: uuidv7() })
      }),
  }
}

/** A clock that stands still until it is told to go on. */
export const handClock = (): ProvisioningWorld['clock'] => {
  let now = Date.parse('2026-03-01T08:00:00Z')
  return {
    now: () => new Date(now),
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

export interface WorldOptions {
  /** One clock for several worlds, where one provisioner serves them. */
  readonly clock?: ProvisioningWorld['clock']
  /** Whether the stand-in refuses a name that is taken. */
  readonly unique?: boolean
}

export const provisioningWorld = async (db: Db, { clock = handClock(), unique = true }: WorldOptions = {}): Promise<ProvisioningWorld> => {
  const tenantId = uuidv7()
  await db.insertInto('tenants').values({ id: tenantId, name: 'Tenant' }).execute()
  const connectorId = await addConnector(db, { tenantId, name: 'HR' })
  const targetId = await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  const standIn = await startScimStandIn({ unique })
  const settings: Record<string, unknown> = {}
  // a busy machine takes its time; who tests waiting shortens it
  const limits = { timeoutMs: 10_000 }
  const data = databaseSide(db, { tenantId, connectorId })
  const scim = () =>
    createScimTarget(
      { baseUrl: standIn.baseUrl, allowHttp: true, ...settings },
      { token: standIn.token },
      { connections: 16, ...limits, now: clock.now },
    )
  return {
    tenantId,
    connectorId,
    targetId,
    standIn,
    clock,
    settings,
    limits,
    scim,
    ...data,
    policy: (policy) =>
      db
        .transaction()
        .execute((tx) => writePolicy(tx, { tenantId, targetId }, { policy: { ...DEFAULT_TARGET_POLICY, ...policy }, at: clock.now() })),
    change: async (userId, columns) => {
      // ids of events sort by time, so what comes later must be later
      clock.advance(0.001)
      await data.change(userId, columns)
    },
    asked: () => standIn.received.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '').replace(/\/Users\/.*/, '/Users/…')}`),
    provisioner: (options = {}) =>
      createProvisioner({ db, clock, log: silentLog, openTarget: async () => scim(), concurrency: 8, random: () => 0.5, ...options }),
    close: async () => {
      await db.deleteFrom('target_accounts').where('tenant_id', '=', tenantId).execute()
      await standIn.close()
    },
  }
}
