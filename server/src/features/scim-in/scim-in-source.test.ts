import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFile } from '@instep/connectors/file/open-file.ts'
import type { JsonValue } from '@instep/connectors/kit/fetching-source.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { syncWorld } from '../sync/testing/sync-world.ts'
import { scimInSource } from './scim-in-source.ts'
import { type Connection, ENTERPRISE, type ScimWorld, scimWorld } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection
const folder = mkdtempSync(path.join(tmpdir(), 'instep-scim-in-'))
let files = 0

beforeAll(async () => {
  world = await scimWorld()
})
beforeEach(async () => {
  entra = await world.connect()
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const sourceOf = ({ tenantId, connectorId }: Connection) => scimInSource(world.instep.database.db, { tenantId, connectorId })

const fetchFrom = async (connection: Connection, watermark: JsonValue = null, limit = 1_000_000) => {
  files += 1
  const file = path.join(folder, `${files}.csv`)
  const request = { path: file, watermark, limit, now: new Date(), signal: AbortSignal.timeout(10_000) }
  return { file, fetched: await sourceOf(connection).fetch(request) }
}

/** The records as the sync reads them. */
const recordsIn = async (file: string): Promise<Record<string, string>[]> => {
  const table = await openFile({ path: file })
  const records: Record<string, string>[] = []
  for await (const rows of table.rows())
    for (const { cells } of rows) records.push(Object.fromEntries(table.header.map((name, index) => [name, cells[index] ?? ''])))
  return records
}

describe('what was pushed, as a source', () => {
  it('has nothing before the first push, rather than nobody', async () => {
    expect(await sourceOf(entra).test(AbortSignal.timeout(1000))).toEqual({ found: null })
    expect((await fetchFrom(entra)).fetched).toBeUndefined()
  })

  it('names everybody who is active, each in a row, with groups and extensions', async () => {
    const ada = await entra.addUser({
      externalId: 'E-1',
      userName: 'ada@example.com',
      name: { givenName: 'Ada', familyName: 'Byron, "Countess"' },
      title: '=SUM(A1)',
      emails: [
        { type: 'home', value: 'ada@home.example', primary: true },
        { type: 'work', value: 'ada@work.example' },
      ],
      phoneNumbers: [{ type: 'mobile', value: '+33 6' }],
      addresses: [{ type: 'work', locality: 'Lyon', country: 'FR' }],
      [ENTERPRISE]: { department: 'Engines', employeeNumber: '17', manager: { value: 'E-9' } },
      'urn:contoso:2.0:User': { badge: 7, floors: [{ value: '2' }, '3'], desk: { number: 'D4' } },
    })
    const bob = await entra.addUser({ userName: 'bob', emails: [{ value: 'bob@x.example' }], 'urn:CONTOSO:2.0:user': { badge: 8 } })
    await entra.addUser({ userName: 'left', active: false })
    for (const displayName of ['Night', 'Bakers; cooks'])
      await entra.request('POST /Groups', { displayName, members: [{ value: ada.body.id }] })
    const { file, fetched } = await fetchFrom(entra)
    expect(fetched).toEqual({ name: 'scim-people.csv', extent: 'full', modifiedAt: expect.any(Date), watermark: 5 })
    const [first, second, ...others] = await recordsIn(file)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      id: ada.body.id,
      externalId: 'E-1',
      userName: 'ada@example.com',
      active: 'true',
      'name.familyName': 'Byron, "Countess"',
      title: '=SUM(A1)',
      'emails[work]': 'ada@work.example',
      'emails[home]': 'ada@home.example',
      'phoneNumbers[mobile]': '+33 6',
      'addresses[work].locality': 'Lyon',
      department: 'Engines',
      employeeNumber: '17',
      'manager.value': 'E-9',
      groups: 'Bakers; cooks; Night',
      'urn:contoso:2.0:User:badge': '7',
      'urn:contoso:2.0:User:floors': '2; 3',
      'urn:contoso:2.0:User:desk.number': 'D4',
    })
    expect(second).toMatchObject({ id: bob.body.id, 'emails[work]': 'bob@x.example', 'urn:contoso:2.0:User:badge': '8', groups: '' })
    expect(await sourceOf(entra).test(AbortSignal.timeout(1000))).toMatchObject({ found: { size: 2 } })
  })

  it('gives one person as the table of all has them, and nobody who is switched off', async () => {
    const ada = await entra.addUser({
      externalId: 'E "1"',
      userName: 'Ada',
      [ENTERPRISE]: { employeeNumber: '17' },
      'urn:x:y': { badge: 7 },
    })
    await entra.addUser({ externalId: 'E-2', userName: 'left', active: false })
    await entra.request('POST /Groups', { displayName: 'Night', members: [{ value: ada.body.id }] })
    const [row] = await recordsIn((await fetchFrom(entra)).file)
    const one = async (column: string, value: string) => {
      const found = await sourceOf(entra).readOne?.({ column, value }, AbortSignal.timeout(1000))
      return found && Object.fromEntries(found.columns.map((name, place) => [name, found.cells[place]]))
    }
    expect(row).toMatchObject({ externalId: 'E "1"', groups: 'Night', 'urn:x:y:badge': '7' })
    for (const [column, value] of [
      ['externalId', 'E "1"'],
      ['userName', 'Ada'],
      ['employeeNumber', '17'],
      ['id', ada.body.id],
    ] as const)
      expect(await one(column, value)).toEqual(row)
    for (const value of ['E-2', 'E-9', '" or active eq true or userName eq "', '']) expect(await one('externalId', value)).toBeUndefined()
    expect(await one('id', 'no id')).toBeUndefined()
    await expect(one('title', 'Clerk')).rejects.toMatchObject({ code: 'SOURCE_RECORD_UNCLEAR' })
    const other = await world.connect()
    expect(await sourceOf(other).readOne?.({ column: 'externalId', value: 'E "1"' }, AbortSignal.timeout(1000))).toBeUndefined()
  })

  it('has nothing new until something changes, and leaves out whoever is switched off or removed', async () => {
    const [ada, bob] = [await entra.addUser({ userName: 'ada' }), await entra.addUser({ userName: 'bob' })]
    const { watermark } = (await fetchFrom(entra)).fetched ?? {}
    expect((await fetchFrom(entra, watermark ?? null)).fetched).toBeUndefined()
    await entra.patch(`/Users/${ada.body.id}`, { op: 'replace', path: 'active', value: true })
    expect((await fetchFrom(entra, watermark ?? null)).fetched).toBeUndefined()
    await entra.patch(`/Users/${ada.body.id}`, { op: 'Replace', path: 'active', value: 'False' })
    const switched = await fetchFrom(entra, watermark ?? null)
    expect((await recordsIn(switched.file)).map(({ userName }) => userName)).toEqual(['bob'])
    await entra.request(`DELETE /Users/${bob.body.id}`)
    const emptied = await fetchFrom(entra, switched.fetched?.watermark ?? null)
    expect(readFileSync(emptied.file, 'utf8').trim().split('\r\n')).toHaveLength(1)
    expect(emptied.fetched?.extent).toBe('full')
  })

  it('is read by the sync like any file: joiners, movers, and leavers whether switched off or removed', async () => {
    const sync = await syncWorld()
    const mapping: Mapping = {
      fields: {
        externalId: { column: 'externalId' },
        givenName: { column: 'name.givenName' },
        familyName: { column: 'name.familyName' },
        workEmail: { column: 'emails[work]' },
        department: { column: 'department' },
      },
    }
    const users: string[] = []
    for (let number = 0; number < 30; number += 1) {
      const name = { givenName: 'Ada', familyName: `Byron ${number}` }
      users.push((await entra.addUser({ externalId: `E-${number}`, userName: `ada${number}`, name })).body.id)
    }
    const runOver = async () => sync.sync(readFileSync((await fetchFrom(entra)).file), mapping)
    await runOver()
    expect((await sync.people()).size).toBe(30)
    await entra.patch(`/Users/${users[0]}`, { op: 'Add', path: 'emails[type eq "work"].value', value: 'ada@work.example' })
    await entra.patch(`/Users/${users[1]}`, { op: 'Replace', path: 'active', value: 'False' })
    await entra.request(`DELETE /Users/${users[2]}`)
    const run = await runOver()
    const people = await sync.people()
    await sync.close()
    expect(people.get('E-0')?.work_email).toBe('ada@work.example')
    expect(['E-0', 'E-1', 'E-2'].map((id) => people.get(id)?.active)).toEqual([true, false, false])
    expect(run.counts).toMatchObject({ update: 1, deactivate: 2 })
  })

  it('tells no more of one connector than was pushed to it, and no more than it may', async () => {
    await entra.addUser({ userName: 'ada' })
    const other = await world.connect()
    await other.addUser({ userName: 'bob', title: 'x'.repeat(10_000) })
    const { file } = await fetchFrom(other)
    expect((await recordsIn(file)).map(({ userName }) => userName)).toEqual(['bob'])
    await expect(fetchFrom(other, null, 5000)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE', params: { limit: 5000 } })
    const aborted = { path: path.join(folder, 'never.csv'), watermark: null, limit: 1e9, now: new Date(), signal: AbortSignal.abort() }
    await expect(sourceOf(other).fetch(aborted)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
