import { fillPath } from '@instep/contract/endpoint.ts'
import * as contract from '@instep/contract/exports.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
beforeAll(async () => {
  app = await testApp({ workers: true })
  tenantId = app.world.one.id
  const { db } = app.database
  hr = await addConnector(db, { tenantId, name: 'HR' })
  await addPeople(db, { tenantId, connectorId: hr }, [
    {
      given_name: '=cmd()',
      family_name: '"Quote", Comma',
      title: '+1',
      start_date: '2026-01-31',
      site_id: app.world.one.northSite,
      vip: true,
    },
    { given_name: 'Zoé', family_name: '😀', claim_state: 'claimed', site_id: app.world.one.southSite },
  ])
  await addPeople(
    db,
    { tenantId, connectorId: hr },
    Array.from({ length: 2500 }, (_, index) => ({ given_name: 'Many', family_name: `${index}`, site_id: app.world.one.looseSite })),
  )
})
afterAll(() => app.close())

const COLUMNS = ['displayName', 'title', 'startDate', 'status', 'vip', 'siteName'] as const
const start = (admin: TestAdmin, body: Record<string, unknown> = {}, connectorId = tenantId) =>
  app.call(admin, contract.exportUsers, {
    params: { connectorId },
    body: { format: 'csv', filter: {}, columns: [...COLUMNS], ...body } as never,
  })
const get = (admin: TestAdmin, runId: string) => app.call(admin, contract.getListRun, { params: { tenantId, runId } })
const ended = async (runId: string): Promise<contract.ListRun> => {
  const { body } = await get('tenant', runId)
  return body.finishedAt ? body : new Promise((resolve) => setTimeout(() => resolve(ended(runId)), 20))
}
const download = async (admin: TestAdmin, runId: string) =>
  fetch(`${app.url}/v1${fillPath(contract.downloadExport.path, { tenantId, runId })}`, {
    headers: { authorization: `Bearer ${await app.tokenOf(admin)}` },
  })
const people = async (admin: TestAdmin, body: Record<string, unknown> = {}): Promise<string[][]> => {
  const run = await start(admin, body)
  expect(run.status).toBe(202)
  expect((await ended(run.body.id)).state).toBe('succeeded')
  return parse(await (await download(admin, run.body.id)).text(), { bom: true }) as string[][]
}

describe('an export', () => {
  it('is refused without the bit, for nobody, and of what the caller does not see', async () => {
    expect((await start('gdpr')).status).toBe(403)
    expect((await start('otherTenant')).status).toBe(404)
    for (const filter of [{ siteId: app.world.one.northSite }, { siteId: uuidv7() }])
      expect((await start('site', { filter })).status).toBe(404)
    expect((await start('tenant', { filter: { searchText: 'nobody at all' } })).body.code).toBe('NO_DATA')
    expect((await start('tenant', { columns: ['password'] })).body.code).toBe('INVALID')
    await sql`update admins set permissions = 1023 & ~8 where id = ${app.adminIds.tenant}`.execute(app.database.db)
    expect((await start('tenant')).body.code).toBe('PERMISSION_MISSING')
    await sql`update admins set permissions = 1023 where id = ${app.adminIds.tenant}`.execute(app.database.db)
  })

  it('holds what its starter sees, in the columns and language asked for, formulas defused', async () => {
    expect(await people('siteGroup', { locale: 'fr_FR' })).toEqual([
      ['Nom affiché', 'Poste', 'Date de début', 'Statut', 'VIP', 'Site'],
      ['\'=cmd() "Quote", Comma', "'+1", '31/01/2026', 'En attente d’invitation', 'Oui', 'North site'],
    ])
    expect((await people('site')).slice(1)).toEqual([['Zoé 😀', '', '', 'Claimed', 'No', 'South site']])
  })

  it('of many holds everybody once, in order', async () => {
    const rows = await people('tenant', { sort: '-externalId', columns: ['externalId'] })
    const ids = rows.slice(1).map(([id]) => id)
    expect(ids).toHaveLength(2502)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
  })

  it('of the people named holds these, as far as the filter does; those left out are left out', async () => {
    const { rows } = await sql<{ id: string }>`select id from users where tenant_id = ${tenantId} and given_name <> 'Many'`.execute(
      app.database.db,
    )
    expect(await people('tenant', { userIds: rows.map(({ id }) => id), filter: { accountStatus: 'claimed' } })).toHaveLength(2)
    const rest = await people('tenant', { exceptIds: rows.map(({ id }) => id), columns: ['givenName'] })
    expect(new Set(rest.slice(1).flat())).toEqual(new Set(['Many']))
  })

  it('leaves out the people of a connector that admits no export, and is none where nobody is left', async () => {
    const closed = await addConnector(app.database.db, { tenantId, name: 'Closed' })
    const [id = ''] = await addPeople(app.database.db, { tenantId, connectorId: closed }, [
      { given_name: 'Kept', site_id: app.world.one.southSite },
    ])
    await sql`update connectors set permissions = 1023 & ~8 where id = ${closed}`.execute(app.database.db)
    expect((await start('tenant', {}, closed)).body.code).toBe('PERMISSION_MISSING')
    expect((await start('tenant', { filter: { connectorId: closed } })).body.code).toBe('NO_DATA')
    expect((await start('tenant', { userIds: [id] })).body.code).toBe('NO_DATA')
    expect((await people('site')).slice(1).map(([name]) => name)).toEqual(['Zoé 😀'])
  })

  it.each(['csv', 'xlsx'] as const)(
    'holds the tenant’s own attributes after the others, not those that are gone meanwhile: %s',
    async (format) => {
      const { db } = app.database
      const added = [
        { displayName: '=Shoe size', type: 'numeric' },
        { displayName: 'First aid until', type: 'date' },
        { displayName: 'Gone', type: 'text' },
      ].map((field) => ({ ...field, id: uuidv7() }))
      const [shoe, until, gone] = added.map(({ id }) => `claimFields.${id}`)
      await sql`
      insert into claim_fields (tenant_id, id, position, display_name, description, type, enabled, created_at)
      select ${tenantId}::uuid, f.id, 50, f."displayName", '', f.type, false, now()
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as f (id uuid, "displayName" text, type text)`.execute(db)
      const values = { [String(added[0]?.id)]: '-41', [String(added[1]?.id)]: '2027-01-31', [String(added[2]?.id)]: 'x' }
      await sql`update users set claim_fields = ${JSON.stringify(values)} where tenant_id = ${tenantId} and family_name = '😀'`.execute(db)
      // somebody removes one between the click and the run
      const queued = await start('site', { format, columns: ['displayName', gone, until, shoe, `claimFields.${uuidv7()}`] }, tenantId)
      expect(queued.status).toBe(202)
      await sql`delete from claim_fields where id = ${added[2]?.id}`.execute(db)
      await ended(queued.body.id)
      const again = await start('site', { format, columns: ['displayName', gone, until, shoe] })
      expect((await ended(again.body.id)).state).toBe('succeeded')
      const file = Buffer.from(await (await download('site', again.body.id)).arrayBuffer())
      const rows = format === 'csv' ? parse(file, { bom: true }) : await readSheet(file)
      const defused = format === 'csv' ? "'" : ''
      expect(rows).toEqual([
        ['Display name', 'First aid until', `${defused}=Shoe size`],
        ['Zoé 😀', '31/01/2027', `${defused}-41`],
      ])
      const [headers = [], person = []] = await people('site', { columns: undefined })
      expect([headers.slice(-3), person.slice(-2)]).toEqual([
        ['Changed at', "'=Shoe size", 'First aid until'],
        ["'-41", '31/01/2027'],
      ])
      await sql`delete from claim_fields where tenant_id = ${tenantId}`.execute(db)
    },
  )

  it('is one of three at most that somebody has waiting or under way', async () => {
    const by = JSON.stringify({ kind: 'admin', id: app.adminIds.super, name: 'Sigrid Super' })
    await sql`
      insert into runs (tenant_id, id, kind, correlation_id, state, input, created_by, created_at, leased_until)
      select ${tenantId}, gen_random_uuid(), 'exportUsers', 'held', 'running', '{}', ${by}, now(), 'infinity' from generate_series(1, 3)`.execute(
      app.database.db,
    )
    expect((await start('super')).status).toBe(429)
    expect((await start('tenant')).status).toBe(202)
    await sql`update runs set state = 'cancelled', leased_until = null where correlation_id = 'held'`.execute(app.database.db)
    expect((await start('super')).status).toBe(202)
  })

  it('is out of reach for its starter as soon as they do not see all of it any more', async () => {
    const { id } = await ended((await start('siteGroup')).body.id)
    expect((await download('siteGroup', id)).status).toBe(200)
    const restrict = (restricted: boolean) =>
      sql`update sites set restricted = ${restricted} where id = ${app.world.one.northSite}`.execute(app.database.db)
    await restrict(true)
    expect((await download('siteGroup', id)).status).toBe(410)
    expect((await download('tenant', id)).status).toBe(200)
    await restrict(false)
  })

  it('as a workbook opens in a spreadsheet', async () => {
    const run = await start('siteGroup', { format: 'xlsx' })
    expect((await ended(run.body.id)).fileName).toMatch(/^people-\d{4}-\d\d-\d\d\.xlsx$/)
    const response = await download('siteGroup', run.body.id)
    expect(response.headers.get('content-type')).toContain('spreadsheetml')
    const sheet = await readSheet(Buffer.from(await response.arrayBuffer()))
    expect(sheet).toEqual([
      ['Display name', 'Job title', 'Start date', 'Status', 'VIP', 'Site'],
      ['=cmd() "Quote", Comma', '+1', '31/01/2026', 'Awaiting invitation', 'Yes', 'North site'],
    ])
  })

  it('is its starter’s and the tenant’s, is told when it is fetched, and is gone after a day', async () => {
    const run = await start('site')
    const { id, correlationId } = await ended(run.body.id)
    expect((await get('siteGroup', id)).status).toBe(404)
    expect((await download('siteGroup', id)).status).toBe(404)
    expect((await get('otherTenant', id)).status).toBe(404)
    expect((await download('tenant', id)).status).toBe(200)
    const { rows } = await sql<{ type: string }>`select type from events where subject_id = ${id} order by id`.execute(app.database.db)
    expect(rows.map(({ type }) => type)).toEqual(['export.started', 'export.finished', 'export.downloaded'])
    expect(correlationId).toBe(run.body.correlationId)
    const { sweepExports } = await import('./public.ts')
    await sweepExports(app.dataDir, new Date(Date.now() + 25 * 60 * 60 * 1000))
    expect((await download('site', id)).status).toBe(410)
    expect((await app.call('site', contract.cancelListRun, { params: { tenantId, runId: id } })).body.code).toBe('RUN_STATE_WRONG')
  })
})
