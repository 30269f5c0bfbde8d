import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type SftpStandIn, startSftpStandIn } from '@instep/connectors/file/testing/sftp-stand-in.ts'
import { createConnector, getConnector, updateConnector } from '@instep/contract/connectors.ts'
import { getOverview } from '@instep/contract/dashboard.ts'
import { createScimToken } from '@instep/contract/scim-in.ts'
import { fetchNow, getSchedule, getSourceState, previewSchedule, sampleSource, setSchedule, testSource } from '@instep/contract/sources.ts'
import { startRun } from '@instep/contract/sync.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { csvOf, HEADER, MAPPING, people } from './testing/sync-world.ts'

const root = mkdtempSync(path.join(tmpdir(), 'instep-sources-'))
let instep: TestApp
let sftp: SftpStandIn
let other: SftpStandIn
let tenantId: string

beforeAll(async () => {
  const env = { SOURCE_FOLDER_ROOT: root, SOURCES_ALLOW_PRIVATE: 'on', SOURCE_STABLE_SECONDS: '0', LOG_LEVEL: 'error' }
  instep = await testApp({ env })
  tenantId = instep.world.one.id
  mkdirSync(path.join(root, tenantId, 'hr'), { recursive: true })
  mkdirSync(path.join(root, instep.world.two.id), { recursive: true })
  writeFileSync(path.join(root, tenantId, 'hr/people.csv'), csvOf([HEADER, ...people(1, 3)]))
  writeFileSync(path.join(root, instep.world.two.id, 'people.csv'), 'id,name\nX,Y\n')
  sftp = await startSftpStandIn(path.join(root, tenantId), { username: 'hr', password: 'right' })
  other = await startSftpStandIn(path.join(root, tenantId), { username: 'hr', password: 'right' })
})
afterAll(async () => {
  await Promise.all([instep.close(), sftp.close(), other.close()])
  rmSync(root, { recursive: true, force: true })
})

const add = async (properties: Record<string, string | number | boolean>): Promise<string> => {
  const body = { name: `HR ${uuidv7()}`, definitionId: 'file', properties }
  const { status, body: answer } = await instep.call('tenant', createConnector, { params: { tenantId }, body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.id
}
const change = (id: string, properties: Record<string, string | number | boolean | null>) =>
  instep.call('tenant', updateConnector, { params: { tenantId, id }, body: { properties } })
const test = (connectorId: string, body = {}) => instep.call('tenant', testSource, { params: { connectorId }, body })
const overSftp = () => ({ delivery: 'sftp', host: '127.0.0.1', port: sftp.port, username: 'hr', password: 'right', folder: 'hr' })

describe('the settings of a file connector', () => {
  it('name what is missing for the way that was chosen, and need nothing for uploads', async () => {
    const body = { name: 'Incomplete', definitionId: 'file', properties: { delivery: 'sftp', host: 'hr.example.com' } }
    const { status, body: answer } = await instep.call('tenant', createConnector, { params: { tenantId }, body })
    expect([status, Object.keys(answer.fields ?? {})]).toEqual([400, ['properties.username', 'properties.password']])
    await add({})
  })

  it('keep secrets to themselves, let go of them with the way that needed them, and never take them to another server', async () => {
    const id = await add(overSftp())
    const shown = (await instep.call('tenant', getConnector, { params: { tenantId, id } })).body
    expect(shown.secretsSet).toEqual(['password'])
    expect(JSON.stringify(shown)).not.toContain('right')
    const elsewhere = await change(id, { host: 'evil.example.com' })
    expect([elsewhere.status, Object.keys(elsewhere.body.fields ?? {})]).toEqual([400, ['properties.password']])
    const web = await change(id, { delivery: 'https', address: 'https://evil.example.com', auth: 'basic' })
    expect([web.status, Object.keys(web.body.fields ?? {})]).toEqual([400, ['properties.password']])
    expect((await change(id, { delivery: 'upload' })).body).toMatchObject({ secretsSet: [], properties: { delivery: 'upload' } })
  })

  it('keep the line breaks of a private key', async () => {
    const id = await add({ ...overSftp(), signIn: 'key', privateKey: '-----BEGIN KEY-----\r\nabc\n-----END KEY-----' })
    expect((await test(id, { hostKey: sftp.hostKey })).body.code).toBe('SOURCE_UNAUTHORISED')
  })
})

describe('a test of the connection', () => {
  it('is nothing for uploads, and says in words what is wrong', async () => {
    expect((await test(await add({}))).body.code).toBe('SOURCE_NOT_FETCHED')
    const missing = await test(await add({ delivery: 'folder', folder: 'nowhere' }))
    expect([missing.status, missing.body.message]).toEqual([422, 'There is no folder “nowhere”. Check its name.'])
    const outside = await test(await add({ delivery: 'folder', folder: `../${instep.world.two.id}` }))
    expect(outside.body.code).toBe('SOURCE_FOLDER_REFUSED')
  })

  it('finds the file of a folder', async () => {
    const { body } = await test(await add({ delivery: 'folder', folder: 'hr' }))
    expect(body).toMatchObject({ found: { name: 'people.csv' }, hostKey: null })
  })

  it('shows the key of a server before it is told anything, keeps the one that is accepted, and refuses another', async () => {
    const id = await add(overSftp())
    const kept = async () => (await instep.call('tenant', getSourceState, { params: { connectorId: id } })).body.hostKey
    const told = sftp.passwords.length
    const shown = await test(id)
    const { hostKey } = sftp
    expect([shown.status, shown.body.code, shown.body.params?.['found']]).toEqual([409, 'SOURCE_HOST_KEY_UNKNOWN', hostKey])
    expect(shown.body.message).toContain(hostKey)
    expect((await test(id, { hostKey: 'SHA256:guess' })).body.code).toBe('SOURCE_HOST_KEY_CHANGED')
    expect([sftp.passwords.length - told, await kept()]).toEqual([0, null])
    expect((await test(id, { hostKey })).body).toMatchObject({ found: { name: 'people.csv' }, hostKey })
    expect(await kept()).toBe(hostKey)
    // the same place with another server behind it
    const { port } = sftp
    await instep.database.pool.query(
      `update source_states set host_key = jsonb_set(host_key, '{fingerprint}', '"SHA256:old"') where connector_id = $1`,
      [id],
    )
    const changed = await test(id)
    expect([changed.status, changed.body.code]).toEqual([409, 'SOURCE_HOST_KEY_CHANGED'])
    expect(changed.body.params).toMatchObject({ expected: 'SHA256:old', found: hostKey })
    expect((await test(id, { hostKey: 'SHA256:guess' })).body.code).toBe('SOURCE_HOST_KEY_CHANGED')
    expect((await test(id, { hostKey })).status).toBe(200)
    expect((await test(id)).status).toBe(200)
    // a key belongs to its place: of another server nothing is known
    await change(id, { port: other.port, password: 'right' })
    expect(port).not.toBe(other.port)
    expect((await instep.call('tenant', getSourceState, { params: { connectorId: id } })).body.hostKey).toBeNull()
    expect((await instep.call('tenant', sampleSource, { params: { connectorId: id } })).body.code).toBe('SOURCE_HOST_KEY_UNKNOWN')
  })
})

describe('a sample', () => {
  it('shows columns and rows as an upload does, from which a run can be started, and leaves nothing behind that failed', async () => {
    const before = readdirSync(path.join(instep.dataDir, 'files')).length
    const missing = await add({ delivery: 'folder', folder: 'nowhere' })
    expect((await instep.call('tenant', sampleSource, { params: { connectorId: missing } })).status).toBe(422)
    const empty = await add({ delivery: 'folder', folder: 'hr', pattern: 'none*' })
    expect((await instep.call('tenant', sampleSource, { params: { connectorId: empty } })).body.code).toBe('SOURCE_NOTHING_FOUND')
    expect(readdirSync(path.join(instep.dataDir, 'files'))).toHaveLength(before)

    const connectorId = await add({ delivery: 'folder', folder: 'hr' })
    const { status, body: sample } = await instep.call('tenant', sampleSource, { params: { connectorId } })
    expect(status, JSON.stringify(sample)).toBe(201)
    expect(sample).toMatchObject({ name: 'people.csv', format: 'csv', encoding: 'utf-8' })
    expect(sample.columns.map(({ name }) => name)).toEqual(HEADER)
    const run = await instep.call('tenant', startRun, { params: { connectorId }, body: { fileId: sample.id, mapping: MAPPING } })
    expect(run.status).toBe(202)
    expect((await instep.call('tenant', fetchNow, { params: { connectorId }, body: {} })).body.code).toBe('RUN_ACTIVE')
  })
})

describe('a schedule', () => {
  const values = { cron: '30 5 * * 1-5', timeZone: 'Europe/Paris', enabled: true, apply: 'approval' } as const

  it.each(['', 'every day', '* * * *', '0 0 0 * * *', '60 * * * *', '0 0 31 2 *'])('that means nothing is refused: %j', async (cron) => {
    const connectorId = await add({ delivery: 'folder', folder: 'hr' })
    expect((await instep.call('tenant', setSchedule, { params: { connectorId }, body: { ...values, cron } })).status).toBe(400)
    const preview = { cron, timeZone: values.timeZone }
    expect((await instep.call('tenant', previewSchedule, { params: { connectorId }, body: preview })).status).toBe(400)
  })

  it('is set, shown with its next times, and switched off', async () => {
    const connectorId = await add({ delivery: 'folder', folder: 'hr' })
    const at = { params: { connectorId } }
    expect((await instep.call('tenant', getSchedule, at)).body.schedule).toBeNull()
    expect((await instep.call('tenant', setSchedule, { ...at, body: { ...values, timeZone: 'Mars/Base' } })).status).toBe(400)
    const set = await instep.call('tenant', setSchedule, { ...at, body: values })
    expect(set.body.schedule).toMatchObject(values)
    expect(set.body.schedule.next).toHaveLength(3)
    expect((await instep.call('tenant', getSchedule, at)).body).toEqual(set.body)
    const preview = await instep.call('tenant', previewSchedule, { ...at, body: { cron: values.cron, timeZone: values.timeZone } })
    expect(preview.body.next).toEqual(set.body.schedule.next)
    const off = await instep.call('tenant', setSchedule, { ...at, body: { ...values, enabled: false } })
    expect(off.body.schedule).toMatchObject({ enabled: false, next: [] })
  })
})

it('credentials that expire within a fortnight are said on the connector and on the dashboard', async () => {
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const later = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const id = await add({ ...overSftp(), credentialsExpireOn: soon })
  const fine = await add({ ...overSftp(), credentialsExpireOn: later })
  const state = async (connectorId: string) => (await instep.call('tenant', getSourceState, { params: { connectorId } })).body.credentials
  expect(await state(id)).toEqual({ expireOn: soon, daysLeft: 5 })
  expect(await state(fine)).toBeNull()
  const { sources } = (await instep.call('tenant', getOverview, { params: { tenantId } })).body
  expect(sources).toMatchObject([{ connectorId: id, trouble: 'expiring' }])
  expect((await instep.call('site', getOverview, { params: { tenantId } })).body.sources).toBeNull()
})

describe('the end of what lets a source in', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const addOf = async (definitionId: string, properties: Record<string, string>): Promise<string> => {
    const body = { name: `HR ${uuidv7()}`, definitionId, properties }
    const { status, body: answer } = await instep.call('tenant', createConnector, { params: { tenantId }, body })
    expect(status, JSON.stringify(answer)).toBe(201)
    return answer.id
  }
  const troubled = async (id: string) =>
    (await instep.call('tenant', getOverview, { params: { tenantId } })).body.sources?.find(({ connectorId }) => connectorId === id)
      ?.trouble

  it.each([
    ['rest', { url: 'https://hr.example.com/people', authentication: 'bearer', bearerToken: 'token' }],
    ['ldap', { server: 'ldaps://hr.example.com', baseDn: 'dc=example', bindDn: 'cn=reader', password: 'right' }],
  ])('is said before it comes: %s', async (definitionId, properties) => {
    const id = await addOf(definitionId, { ...properties, credentialsExpireOn: inDays(5).slice(0, 10) })
    const { credentials } = (await instep.call('tenant', getSourceState, { params: { connectorId: id } })).body
    expect(credentials?.daysLeft).toBe(5)
    expect(await troubled(id)).toBe('expiring')
  })

  it('is said of SCIM tokens when the last one ends, not of one that was renewed', async () => {
    const connectorId = await addOf('scim-in', {})
    expect(await troubled(connectorId)).toBeUndefined()
    const make = (expiresAt: string | null) =>
      instep.call('tenant', createScimToken, { params: { connectorId }, body: { label: 'Entra ID', expiresAt } })
    await make(inDays(5))
    expect(await troubled(connectorId)).toBe('expiring')
    await make(inDays(100))
    expect(await troubled(connectorId)).toBeUndefined()
  })
})
