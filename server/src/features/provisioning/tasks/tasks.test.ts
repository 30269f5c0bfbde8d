import { createManualTarget } from '@instep/connectors/manual-target/manual-target.ts'
import { DEFAULT_TARGET_POLICY, type TargetPolicy } from '@instep/contract/target-policy.ts'
import {
  completeTask,
  completeTasks,
  failTask,
  getTask,
  listAssignees,
  listTasks,
  type TargetTask,
  undoTask,
  updateTask,
} from '@instep/contract/target-tasks.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../../platform/ids.ts'
import { silentLog } from '../../../platform/log.ts'
import { type TestAdmin, type TestApp, testApp } from '../../../testing/app.ts'
import { addConnector, addPeople } from '../../../testing/people.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { markPending } from '../mark-pending.ts'
import { writePolicy } from '../policy.store.ts'
import { createProvisioner } from '../provisioner.ts'
import { retryAccounts } from '../retry-accounts.ts'
import { taskBoard } from './task-board.ts'

let app: TestApp
let tenantId = ''
let sourceId = ''
let targetId = ''
let time = Date.now()
const clock = {
  now: () => {
    time += 1
    return new Date(time)
  },
}

beforeAll(async () => {
  app = await testApp({ clock })
  tenantId = app.world.one.id
  sourceId = await addConnector(app.database.db, { tenantId, name: 'HR' })
  targetId = await addConnector(app.database.db, { tenantId, name: 'Door system', kind: 'target', definitionId: 'manual-target' })
})
afterAll(() => app.close())
beforeEach(async () => {
  const { db } = app.database
  await deleteLeavers(false)
  time = Date.now()
  for (const table of ['target_tasks', 'target_accounts', 'events', 'users'] as const) await db.deleteFrom(table).execute()
})

const deleteLeavers = (atOnce: boolean) =>
  app.database.db.transaction().execute((tx) => {
    const policy: TargetPolicy = atOnce ? { ...DEFAULT_TARGET_POLICY, leaver: { action: 'delete', graceDays: 0 } } : DEFAULT_TARGET_POLICY
    return writePolicy(tx, { tenantId, targetId }, { policy, at: clock.now() })
  })

/** The real engine over the real board; resolves with how many accounts it looked at. */
const engine = () => {
  const { db } = app.database
  return createProvisioner({
    db,
    clock,
    log: silentLog,
    concurrency: 4,
    openTarget: async (tenant, target) => createManualTarget(taskBoard(db, clock, { tenantId: tenant, targetId: target })),
  }).runOnce()
}
const mark = (...ids: string[]) =>
  app.database.db
    .transaction()
    .execute((tx) => markPending(tx, { tenantId, users: sql`select unnest(${ids}::uuid[]) as user_id`, correlationId: uuidv7() }))
let made = 0
const hire = async (columns: Record<string, string | boolean> = {}): Promise<string> => {
  made += 1
  const [id = ''] = await addPeople(app.database.db, { tenantId, connectorId: sourceId }, [
    { external_id: `E-${made}`, title: 'Clerk', site_id: app.world.one.southSite, ...columns },
  ])
  await mark(id)
  await engine()
  return id
}
const change = async (id: string, columns: Record<string, string | boolean | null>): Promise<void> => {
  await app.database.db
    .updateTable('users')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await mark(id)
  await engine()
}
const account = async (userId: string) =>
  app.database.db.selectFrom('target_accounts').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
const list = async (query: Record<string, unknown> = {}, admin: TestAdmin = 'tenant') =>
  (await app.call(admin, listTasks, { params: { tenantId }, query: query as never })).body
const open = async (query: Record<string, unknown> = {}): Promise<TargetTask[]> => (await list(query)).data
const only = async (): Promise<TargetTask> => {
  const [task, ...others] = await open()
  if (!task || others.length > 0) throw new Error(`expected one open task, found ${others.length + (task ? 1 : 0)}`)
  return task
}
const params = (taskId: string) => ({ tenantId, taskId })
const tick = (task: TargetTask, accountName?: string, admin: TestAdmin = 'tenant') =>
  app.call(admin, completeTask, { params: params(task.id), body: { revision: task.revision, ...(accountName ? { accountName } : {}) } })
const done = async (accountName?: string): Promise<TargetTask> => {
  const task = await only()
  expect((await tick(task, accountName)).status).toBe(200)
  await engine()
  return task
}
const events = async () =>
  (await app.database.db.selectFrom('events').select('type').where('type', 'like', 'target.task.%').orderBy('id').execute()).map(
    ({ type }) => type.replace('target.task.', ''),
  )

describe('a task', () => {
  test('is opened once for somebody new, and the engine does not come back for it', async () => {
    const id = await hire()
    expect(await only()).toMatchObject({
      kind: 'create',
      state: 'open',
      userId: id,
      targetName: 'Door system',
      displayName: 'Ada Byron',
      revision: 1,
    })
    expect((await only()).changes).toContainEqual({ field: 'title', before: null, after: 'Clerk' })
    expect(await account(id)).toMatchObject({ state: 'pending', cause: 'TARGET_WAITS', attempts: 0, next_try_at: Number.POSITIVE_INFINITY })
    time += 86_400_000
    expect(await engine()).toBe(0)
    await mark(id)
    await engine()
    expect((await only()).revision).toBe(1)
    expect(await events()).toEqual(['opened'])
  })

  test('confirms, when ticked off, what it said; the account is in step under the name that was typed in', async () => {
    const id = await hire()
    await done('ada.byron')
    expect(await account(id)).toMatchObject({ state: 'inStep', remote_id: 'ada.byron', applied_document: { title: 'Clerk', active: true } })
    expect(await open()).toEqual([])
    expect(await open({ state: 'done' })).toMatchObject([{ accountName: 'ada.byron', closedBy: 'Tadeo Tenant' }])
    expect(await events()).toEqual(['opened', 'done'])
  })

  test('says what is wanted by now against what was confirmed, keeps its assignee, and is not ticked off unseen', async () => {
    const id = await hire()
    await done()
    await change(id, { title: 'Baker' })
    const seen = await only()
    expect(seen).toMatchObject({ kind: 'update', changes: [{ field: 'title', before: 'Clerk', after: 'Baker' }] })
    await app.call('tenant', updateTask, { params: params(seen.id), body: { assignedTo: app.adminIds.site, comment: 'Ask Ben' } })
    await change(id, { title: 'Cook', department: 'Kitchen' })
    const now = await only()
    expect(now).toMatchObject({ id: seen.id, revision: 2, comment: 'Ask Ben', assignedTo: { name: 'Sami Site' } })
    expect(now.changes).toEqual([
      { field: 'title', before: 'Clerk', after: 'Cook' },
      { field: 'department', before: null, after: 'Kitchen' },
    ])
    expect((await tick(seen)).body.code).toBe('TASK_CHANGED')
    await done()
    expect(await account(id)).toMatchObject({ state: 'inStep', applied_document: { title: 'Cook' } })
  })

  test('is withdrawn when nothing is left to do', async () => {
    const id = await hire()
    await done()
    await change(id, { title: 'Baker' })
    await change(id, { title: 'Clerk' })
    expect(await open()).toEqual([])
    expect(await open({ state: 'withdrawn' })).toHaveLength(1)
    const newcomer = await hire()
    await change(newcomer, { active: false })
    expect(await open()).toEqual([])
    expect((await account(newcomer)).state).toBe('inStep')
    expect(await events()).toEqual(['opened', 'done', 'opened', 'withdrawn', 'opened', 'withdrawn'])
  })

  test('asks to switch off whoever left and on whoever came back, or to remove them', async () => {
    const id = await hire()
    await done()
    await change(id, { active: false })
    expect(await only()).toMatchObject({ kind: 'disable', changes: [] })
    await done()
    await change(id, { active: true, title: 'Baker' })
    expect(await only()).toMatchObject({ kind: 'enable', changes: [{ field: 'title' }] })
    await done()
    await deleteLeavers(true)
    await change(id, { active: false })
    expect(await only()).toMatchObject({ kind: 'delete', changes: [] })
    await done()
    expect(await account(id)).toMatchObject({ state: 'inStep', remote_id: null, applied_document: null })
    await change(id, { active: true })
    expect((await only()).kind).toBe('create')
  })

  test('that cannot be done sets the account aside with the reason, until the person changes or somebody asks again', async () => {
    const id = await hire()
    const task = await only()
    const failed = await app.call('tenant', failTask, { params: params(task.id), body: { revision: 1, reason: 'No licence left' } })
    expect(failed.body).toMatchObject({ state: 'failed', reason: 'No licence left' })
    expect(await account(id)).toMatchObject({ state: 'quarantined', cause: 'TARGET_DECLINED', last_error: 'No licence left' })
    expect(await engine()).toBe(0)
    expect(await open()).toEqual([])
    const actor = { id: app.adminIds.tenant, name: 'Tadeo Tenant' }
    await retryAccounts(app.database.db, clock, { tenantId, targetId, cause: 'TARGET_DECLINED', actor, correlationId: 'again' })
    await engine()
    expect((await only()).id).not.toBe(task.id)
  })

  test('taken back is asked for again; only the last tick can be', async () => {
    const id = await hire()
    const first = await done('ada')
    await change(id, { title: 'Baker' })
    const second = await done()
    expect((await app.call('tenant', undoTask, { params: params(first.id) })).body.code).toBe('TASK_OVERTAKEN')
    expect((await app.call('tenant', undoTask, { params: params(second.id) })).body.state).toBe('undone')
    await engine()
    expect(await account(id)).toMatchObject({ state: 'pending', remote_id: 'ada', applied_document: { title: 'Clerk' } })
    expect(await only()).toMatchObject({ kind: 'update', changes: [{ field: 'title', before: 'Clerk', after: 'Baker' }] })
    expect((await app.call('tenant', undoTask, { params: params(second.id) })).body.code).toBe('TASK_STATE_WRONG')
    expect((await app.call('tenant', undoTask, { params: params(first.id) })).status).toBe(200)
    await engine()
    expect(await only()).toMatchObject({ kind: 'create' })
    expect((await account(id)).remote_id).toBeNull()
  })

  test('ticked off while the person changes is followed by the next one', async () => {
    const id = await hire()
    const task = await only()
    await app.database.db.updateTable('users').set({ title: 'Baker' }).where('id', '=', id).execute()
    await mark(id)
    expect((await tick(task)).status).toBe(200)
    await engine()
    expect(await only()).toMatchObject({ kind: 'update', changes: [{ field: 'title', before: 'Clerk', after: 'Baker' }] })
  })

  test('is not ticked off under the name of somebody else, nor twice', async () => {
    await hire()
    await done('ada')
    await hire()
    const task = await only()
    expect((await tick(task, 'ada')).body.code).toBe('TASK_ACCOUNT_TAKEN')
    expect((await only()).state).toBe('open')
    expect((await tick(task, 'ada2')).status).toBe(200)
    expect((await tick(task, 'ada2')).body.code).toBe('TASK_STATE_WRONG')
  })
})

describe('who sees and does what', () => {
  test('a site administrator sees and ticks off tasks about their own people only', async () => {
    await hire({ site_id: app.world.one.northSite })
    const hidden = await only()
    expect((await list({}, 'site')).data).toEqual([])
    expect((await list({}, 'site')).count.value).toBe(0)
    expect((await app.call('site', getTask, { params: params(hidden.id) })).status).toBe(404)
    expect((await tick(hidden, undefined, 'site')).status).toBe(404)
    expect((await app.call('site', undoTask, { params: params(hidden.id) })).status).toBe(404)
    const bulk = await app.call('site', completeTasks, { params: { tenantId }, body: { tasks: [{ taskId: hidden.id, revision: 1 }] } })
    expect(bulk.body).toEqual({ completed: 0, refused: [{ taskId: hidden.id, code: 'NOT_FOUND' }] })
    await hire()
    const [own] = (await list({}, 'site')).data
    expect(own).toMatchObject({ siteName: 'South site' })
    if (own) expect((await tick(own, undefined, 'site')).status).toBe(200)
  })

  test("another tenant's administrator sees nothing of it, and is not given any", async () => {
    await hire()
    const task = await only()
    expect((await app.call('otherTenant', getTask, { params: params(task.id) })).status).toBe(404)
    expect((await app.call('otherTenant', getTask, { params: { tenantId: app.world.two.id, taskId: task.id } })).status).toBe(404)
    const give = (assignedTo: string) => app.call('tenant', updateTask, { params: params(task.id), body: { assignedTo } })
    for (const admin of ['otherTenant', 'gdpr', 'super'] as const) expect((await give(app.adminIds[admin])).status).toBe(404)
    const { body } = await app.call('site', listAssignees, { params: { tenantId } })
    expect(body.data.map(({ name }) => name)).toEqual(['Greta Group', 'Sami Site', 'Tadeo Tenant'])
  })

  test('a target whose own mask admits no edits takes no ticks', async () => {
    await hire()
    const bits = (permissions: number) =>
      app.database.db.updateTable('connectors').set({ permissions }).where('id', '=', targetId).execute()
    await bits(1023 & ~128)
    expect((await tick(await only())).body.code).toBe('PERMISSION_MISSING')
    await bits(1023)
  })

  test('giving a task to whoever has it already leaves no trace', async () => {
    await hire()
    const { id } = await only()
    const give = () => app.call('tenant', updateTask, { params: params(id), body: { assignedTo: app.adminIds.tenant } })
    expect((await give()).body.assignedTo).toEqual({ id: app.adminIds.tenant, name: 'Tadeo Tenant' })
    await give()
    expect(await events()).toEqual(['opened', 'updated'])
    expect(await open({ assigned: 'me' })).toHaveLength(1)
    expect(await open({ assigned: 'nobody' })).toEqual([])
  })
})

describe('the list', () => {
  test('comes page by page, the longest open first, each task once; narrowed by target, kind, site and age', async () => {
    const ids = []
    for (let n = 0; n < 5; n++) ids.push(await hire(n === 4 ? { site_id: app.world.one.northSite } : {}))
    const seen: string[] = []
    let continuationToken: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ pageSize: 2, ...(continuationToken ? { continuationToken } : {}) })
      seen.push(...page.data.map(({ userId }) => userId))
      continuationToken = page.continuationToken
    } while (continuationToken)
    expect(seen).toEqual(ids)
    expect(await open({ kind: 'update' })).toEqual([])
    expect(await open({ targetId: uuidv7() })).toEqual([])
    expect(await open({ siteId: app.world.one.northSite })).toHaveLength(1)
    expect(await open({ olderThanDays: 1 })).toEqual([])
    expect((await app.call('site', listTasks, { params: { tenantId }, query: { siteId: app.world.one.northSite } })).status).toBe(404)
    const token = (await list({ pageSize: 2 })).continuationToken ?? ''
    const foreign = await app.call('tenant', listTasks, { params: { tenantId }, query: { kind: 'create', continuationToken: token } })
    expect(foreign.body.code).toBe('TOKEN_FOREIGN')
  })

  test('is ticked off in bulk; what changed since is left and told', async () => {
    await hire()
    await hire()
    const [first, second] = await open()
    const tasks = [
      { taskId: first?.id ?? '', revision: 1 },
      { taskId: second?.id ?? '', revision: 7 },
    ]
    const { body } = await app.call('tenant', completeTasks, { params: { tenantId }, body: { tasks } })
    expect(body).toEqual({ completed: 1, refused: [{ taskId: second?.id, code: 'TASK_CHANGED' }] })
    await engine()
    expect(await open()).toHaveLength(1)
  })

  test('is ticked off in bulk even where another account bears the name already: only that one is left', async () => {
    const ids = [await hire(), await hire(), await hire()]
    const [first, ...others] = await open()
    if (!first) throw new Error('three tasks are open')
    await tick(first, ids[1])
    const tasks = others.toReversed().map(({ id, revision }) => ({ taskId: id, revision }))
    const { status, body } = await app.call('tenant', completeTasks, { params: { tenantId }, body: { tasks } })
    const [taken] = others
    expect([status, body]).toEqual([200, { completed: 1, refused: [{ taskId: taken?.id, code: 'TASK_ACCOUNT_TAKEN' }] }])
    expect((await open()).map(({ userId }) => userId)).toEqual([ids[1]])
    expect((await account(ids[2] ?? '')).remote_id).toBe(ids[2])
  })

  test('downloads as CSV whose cells start no formula', async () => {
    await hire({ title: '=1+1' })
    const download = async (admin: TestAdmin, language = 'de, en') => {
      const headers = { authorization: `Bearer ${await app.tokenOf(admin)}`, 'accept-language': language }
      return (await fetch(`${app.url}/v1/connectors/${tenantId}/tasks/download?kind=create`, { headers })).text()
    }
    const [header, line] = (await download('tenant')).split(/\r?\n/)
    expect(header).toContain('Target,Task,Person')
    expect(line).toMatch(/^Door system,create,Ada Byron,E-\d+,South site,/)
    expect(line).toContain('Job title: =1+1')
    const [french] = (await download('tenant', 'fr-CA, en;q=0.5')).split(/\r?\n/)
    expect(french).toContain('Cible,Tâche,Personne')
  })
})

test.each([1, 2, 3])(
  'story %i: whoever changes and whoever ticks, one task an account is open and in the end everything is as wanted',
  async (seed) => {
    const random = seededRandom(seed * 7919)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const ids = []
    for (let n = 0; n < 6; n++) ids.push(await hire())
    for (let step = 0; step < 25; step++) {
      const [tasks, closed] = [await open({ pageSize: 50 }), await open({ pageSize: 50, state: 'done' })]
      const roll = random()
      if (roll < 0.4) await change(pick(ids), { title: pick(['Clerk', 'Baker', 'Cook']), active: random() < 0.7 })
      else if (roll < 0.8 && tasks.length > 0) await tick(pick(tasks))
      else if (roll < 0.9 && tasks.length > 0)
        await app.call('tenant', failTask, { params: params(pick(tasks).id), body: { revision: pick(tasks).revision, reason: 'No' } })
      else if (closed.length > 0) await app.call('tenant', undoTask, { params: params(pick(closed).id) })
      if (random() < 0.7) await engine()
      const perAccount = new Set(tasks.map(({ userId }) => userId))
      expect(perAccount.size).toBe(tasks.length)
    }
    const actor = { id: app.adminIds.tenant, name: 'Tadeo Tenant' }
    await retryAccounts(app.database.db, clock, { tenantId, targetId, cause: undefined, actor, correlationId: 'again' })
    for (let round = 0; round < 3; round++) {
      await engine()
      for (const task of await open({ pageSize: 50 })) expect((await tick(task)).status).toBe(200)
    }
    await engine()
    expect(await open()).toEqual([])
    for (const id of ids) {
      const { active, title } = await app.database.db
        .selectFrom('users')
        .select(['active', 'title'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { state, applied_document: applied } = await account(id)
      expect(state).toBe('inStep')
      if (active) expect(applied).toMatchObject({ active, title })
      else expect((applied as { active?: boolean } | null)?.active ?? false).toBe(false)
    }
  },
)
