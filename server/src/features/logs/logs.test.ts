import * as contract from '@instep/contract/logs.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let ada: string
let hr: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.two.id
  hr = await addConnector(app.database.db, { tenantId, name: 'HR' })
  ;[ada = ''] = await addPeople(app.database.db, { tenantId, connectorId: hr }, [{ given_name: 'Ada', family_name: 'Byron' }])
})
afterAll(() => app.close())

let minute = 0
const record = (type: string, more: Partial<NewEvent> = {}) =>
  app.database.db.transaction().execute((tx) =>
    recordEvents(tx, [
      {
        tenantId,
        at: new Date(Date.UTC(2030, 0, 1, 0, minute++)),
        stream: 'directory',
        type,
        correlationId: 'test',
        actor: { kind: 'admin', id: null, name: 'Otto Other' },
        ...more,
      },
    ]),
  )
const list = (query: Record<string, unknown> = {}, admin: 'otherTenant' | 'tenant' | 'site' | 'super' = 'otherTenant') =>
  app.call(admin, contract.listDirectoryLog, { params: { tenantId }, query })

describe('the directory log', () => {
  it('is for tenant level, of one’s own tenant', async () => {
    expect((await list({}, 'site')).status).toBe(403)
    expect((await list({}, 'tenant')).status).toBe(404)
    expect((await list({}, 'super')).status).toBe(200)
  })

  it('says in words what happened, to whom and by whom, with values before and after', async () => {
    await record('target.account.failed', {
      stream: 'user',
      subjectId: ada,
      data: { target: 'Workplace', cause: 'TARGET_REFUSED', detail: 'userName is taken' },
      before: { title: 'Clerk' },
      after: { title: 'Countess' },
    })
    const { body } = await list({ pageSize: 1 })
    expect(body.data).toMatchObject([
      {
        eventType: 'target.account.failed',
        level: 'error',
        modifiedBy: 'Otto Other',
        message: 'The account of Ada Byron could not be brought in step at Workplace: userName is taken',
        data: { user: 'Ada Byron', target: 'Workplace' },
        userId: ada,
        userName: 'Ada Byron',
        connectorId: null,
        before: { title: 'Clerk' },
        after: { title: 'Countess' },
      },
    ])
  })

  it('names the source of what a run did to somebody, so that it can be explained', async () => {
    const runId = uuidv7()
    const actor = { kind: 'run' as const, id: runId, name: 'Tadeo Tenant' }
    await record('user.updated', { stream: 'user', subjectId: ada, connectorId: hr, actor, data: { runId } })
    await record('run.applied', { connectorId: hr, actor, data: { runId, file: 'people.csv', applied: 1, stale: 0 } })
    const { body } = await list({ pageSize: 2 })
    expect(body.data.map(({ connectorId, userId, data }) => [connectorId, userId, data['runId']])).toEqual([
      [null, null, runId],
      [hr, ada, runId],
    ])
  })

  it('holds what became of the directory, its people and its jobs, newest first, not what administrators did', async () => {
    await record('admin.signedIn', { stream: 'admin', correlationId: 'mixed' })
    await record('run.started', { stream: 'job', correlationId: 'mixed' })
    await record('user.created', { stream: 'user', subjectId: ada, correlationId: 'mixed' })
    await record('message.sent', { stream: 'message', correlationId: 'mixed' })
    await record('connector.created', { correlationId: 'mixed', data: { name: 'HR' } })
    const types = ['connector.created', 'user.created', 'run.started']
    expect((await list({ correlationId: 'mixed' })).body.data.map(({ eventType }) => eventType)).toEqual(types)
    expect((await list({ pageSize: 3 })).body.data.map(({ eventType }) => eventType)).toEqual(types)
  })

  it('of a correlation id is that one’s alone; of none it knows it is empty', async () => {
    await record('run.planned', { correlationId: 'alone', data: { file: 'people.csv' } })
    await record('run.planned', { correlationId: 'alone', tenantId: app.world.one.id })
    expect((await list({ correlationId: 'alone' })).body.data).toHaveLength(1)
    for (const correlationId of ['none', "' or true --"]) expect((await list({ correlationId })).body.data).toEqual([])
    expect((await list({ correlationId: '', pageSize: 1 })).body.data).toHaveLength(1)
  })

  it('is continued where it ended, neither skipping nor repeating while events come in', async () => {
    const { body: all } = await list({ pageSize: 250 })
    const seen: string[] = []
    let continuationToken: string | null = null
    do {
      const { body }: { body: Awaited<ReturnType<typeof list>>['body'] } = await list({
        pageSize: 3,
        ...(continuationToken ? { continuationToken } : {}),
      })
      seen.push(...body.data.map(({ id }) => id))
      await record('run.applied')
      continuationToken = body.continuationToken
    } while (continuationToken)
    expect(seen).toEqual(all.data.map(({ id }) => id))
  })

  it('takes no token of another query', async () => {
    const { body } = await list({ pageSize: 1 })
    const { status, body: refused } = await list({ pageSize: 1, correlationId: 'mixed', continuationToken: body.continuationToken })
    expect([status, refused.code]).toEqual([400, 'TOKEN_FOREIGN'])
  })
})
