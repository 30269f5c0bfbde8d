import { getPlanBreakdown } from '@instep/contract/plan-breakdown.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import { listRunFailures } from '@instep/contract/run-failures.ts'
import { downloadPlanRows, listPlanRows } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector } from '../../testing/people.ts'

const MANY = 100_000

let app: TestApp
let tenantId: string
const runId = uuidv7()
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  const { db } = app.database
  const connectorId = await addConnector(db, { tenantId, name: 'HR' })
  await sql`
    insert into runs (tenant_id, id, kind, connector_id, state, correlation_id, input, counts, stages, created_by, created_at, version)
    values (${tenantId}, ${runId}, 'sync', ${connectorId}, 'planned', 'failures', '{}', '{}', '[]', '{"kind": "admin", "id": null, "name": "A"}',
      now(), 1)`.execute(db)
  await sql`
    insert into plan_rows (tenant_id, run_id, seq, kind, row_number, display_name, employee_id, after, reasons, stale)
    select ${tenantId}::uuid, ${runId}::uuid, n, case when n <= ${MANY} then 'invalid' when n <= ${MANY} + 3 then 'conflict' else 'update' end, n + 1,
      'Person ' || n, 'E' || n, case when n > ${MANY} + 2 then '{"department": "Kitchen"}' else '{}' end::jsonb,
      case
        when n % 1000 = 0 and n <= ${MANY} then '[{"code": "email", "field": "workEmail", "params": {"value": "x"}}, {"code": "required", "field": "givenName"}]'
        when n <= ${MANY} then '[{"code": "email", "field": "workEmail", "params": {"value": "=1+1"}}]'
        when n <= ${MANY} + 2 then '[{"code": "missingFromFile"}, {"code": "protectedVip"}]'
        when n = ${MANY} + 3 then '[{"code": "locked"}]'
        else '[]'
      end::jsonb, n > ${MANY} + 3
    from generate_series(1, ${MANY} + 5) n`.execute(db)
})
afterAll(() => app.close())

const params = () => ({ tenantId, runId })
const failures = (admin: TestAdmin = 'tenant', query: { siteId?: string; department?: string } = {}) =>
  app.call(admin, listRunFailures, { params: params(), query })
const rows = (query: Record<string, unknown>, admin: TestAdmin = 'tenant') => app.call(admin, listPlanRows, { params: params(), query })

describe('the failures of a run', () => {
  it('are for tenant level, of one’s own tenant, and absent where the run is', async () => {
    expect((await failures('site')).status).toBe(403)
    expect((await failures('otherTenant')).status).toBe(404)
    const absent = await app.call('tenant', listRunFailures, { params: { tenantId, runId: uuidv7() }, query: {} })
    expect([absent.status, (absent.body as unknown as ProblemBody).code]).toEqual([404, 'NOT_FOUND'])
    expect((await failures('tenant', { siteId: uuidv7() })).status).toBe(404)
    expect((await rows({ cause: 'email' }, 'otherTenant')).status).toBe(404)
    expect((await app.call('site', downloadPlanRows, { params: params(), query: { cause: 'email' } })).status).toBe(403)
  })

  it('are grouped by cause, most frequent first, each with its first row', async () => {
    const { body } = await failures()
    expect(body).toMatchObject({
      causes: 5,
      data: [
        {
          kind: 'invalid',
          code: 'email',
          field: 'workEmail',
          rows: MANY,
          example: { sequence: 1, rowNumber: 2, displayName: 'Person 1', reason: { code: 'email', params: { value: '=1+1' } } },
        },
        { kind: 'invalid', code: 'required', field: 'givenName', rows: MANY / 1000, example: { sequence: 1000 } },
        { kind: 'conflict', code: 'protectedVip', field: null, rows: 2 },
        { kind: 'stale', code: 'movedOn', field: null, rows: 2 },
        { kind: 'conflict', code: 'locked', field: null, rows: 1 },
      ],
    })
  })

  it('are counted where they are', async () => {
    const { body } = await failures('tenant', { department: 'Kitchen' })
    expect(body.data.map(({ code, rows: count }) => [code, count])).toEqual([
      ['movedOn', 2],
      ['locked', 1],
    ])
    const places = await app.call('tenant', getPlanBreakdown, { params: params(), query: { cause: 'movedOn' } })
    expect(places.body.departments).toMatchObject([{ department: 'Kitchen', rows: 2 }])
  })

  it('are there at once, of a hundred thousand rows', async () => {
    const begun = performance.now()
    await failures()
    await rows({ cause: 'required', field: 'givenName', pageSize: 25 })
    // the floor is a second on a machine that does nothing else
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it.each([
    [{ cause: 'email', field: 'workEmail' }, [1, 2]],
    [{ cause: 'required', field: 'givenName' }, [1000, 2000]],
    [{ cause: 'protectedVip' }, [MANY + 1, MANY + 2]],
    [{ cause: 'movedOn' }, [MANY + 4, MANY + 5]],
    [{ cause: 'movedOn', kind: 'conflict' }, []],
    [{ cause: 'locked', department: 'Kitchen' }, [MANY + 3]],
    [{ cause: 'protectedVip', department: 'Kitchen' }, []],
    [{ cause: 'missingFromFile' }, []],
    [{ cause: 'email' }, []],
    [{ cause: 'email', field: "' or true --" }, []],
  ])('narrowed to %j', async (cause, first) => {
    const { body } = await rows({ ...cause, pageSize: 2 })
    expect(body.data.map(({ sequence }) => sequence)).toEqual(first)
  })

  it('are continued where a page ended, and not with the token of another cause', async () => {
    const { body } = await rows({ cause: 'required', field: 'givenName', pageSize: 2 })
    const { continuationToken } = body
    const next = await rows({ cause: 'required', field: 'givenName', pageSize: 2, continuationToken })
    expect(next.body.data.map(({ sequence }) => sequence)).toEqual([3000, 4000])
    expect((await rows({ cause: 'email', field: 'workEmail', pageSize: 2, continuationToken })).status).toBe(400)
  })

  it('are downloaded by cause, in words that no spreadsheet carries out', async () => {
    const response = await fetch(`${app.url}/v1/connectors/${tenantId}/runs/${runId}/plan/download?cause=required&field=givenName`, {
      headers: { authorization: `Bearer ${await app.tokenOf('tenant')}` },
    })
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines).toHaveLength(MANY / 1000 + 1)
    expect(lines[1]).toMatch(/^1001,E1000,Person 1000,invalid,/)
    expect(lines[1]).toContain('First name is empty.')
  })

  it('are downloaded as they were searched for', async () => {
    const response = await fetch(`${app.url}/v1/connectors/${tenantId}/runs/${runId}/plan/download?kind=invalid&searchText=e43219`, {
      headers: { authorization: `Bearer ${await app.tokenOf('tenant')}` },
    })
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines.map((line) => line.split(',')[2])).toEqual(['Display name', 'Person 43219'])
  })
})
