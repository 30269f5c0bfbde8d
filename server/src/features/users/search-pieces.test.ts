import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { rarePieces } from './search-pieces.rules.ts'
import { createSearchPieces } from './search-pieces.ts'
import { LIST_COLUMNS, type UserListRecord } from './users.presenter.ts'
import { listPeople } from './users.views.ts'

const everythingRare = () => 0

describe('the rare pieces of a search', () => {
  it.each([
    [
      'SEED-777',
      new Map([
        ['see', 1],
        ['eed', 1],
      ]),
      ['-77', '777'],
    ],
    [
      'seed.999',
      new Map([
        ['see', 1],
        ['eed', 1],
      ]),
      ['.99', '999'],
    ],
    ['Zoë', new Map(), []],
    ['ab', new Map(), []],
    [
      'amara',
      new Map([
        ['ama', 0.04],
        ['mar', 0.06],
        ['ara', 0.01],
      ]),
      ['ara', 'ama'],
    ],
    ['100%_off', new Map(), ['100', '_of', 'off']],
  ] as const)('of %s', (text, shares: ReadonlyMap<string, number>, pieces) =>
    expect(rarePieces(text, (piece) => shares.get(piece) ?? 0)).toEqual(pieces),
  )

  it('are in the text, two a word at most', () => {
    let found = 0
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...'abÉß7-_% '), maxLength: 40 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = rarePieces(text, everythingRare)
        found += pieces.length
        for (const piece of pieces) expect(text.toLowerCase()).toContain(piece)
        expect(pieces.length).toBeLessThanOrEqual(2 * text.split(/[^\p{L}\p{N}]/u).length)
      }),
      { seed: 5, numRuns: 500 },
    )
    expect(found).toBeGreaterThan(40)
  })
})

describe('a search by its rare pieces', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  it('finds exactly whom the whole text finds', async () => {
    const { db } = database
    const tenantId = uuidv7()
    await db.insertInto('tenants').values({ id: tenantId, name: 'Searched' }).execute()
    const connectorId = await addConnector(db, { tenantId, name: 'HR' })
    const names = ["O'Neil", 'Zoë', 'ΣΊΣΥΦΟΣ', 'İnci', 'a%b_c', 'Anna-Lena', 'straße', '\\\\x', 'Abcd12']
    const ids = ['SEED-777', 'seed_777', 'SEED.77', '777', '0777-8']
    const people = names.flatMap((given_name) =>
      ids.map((id) => ({ given_name, family_name: `${id} ${given_name}`, external_id: `${given_name}${id}` })),
    )
    await addPeople(db, { tenantId, connectorId }, people)
    const query = { sort: 'externalId' as const, after: undefined, pageSize: 250, columns: LIST_COLUMNS }
    const find = async (searchText: string, searchPieces: string[]) =>
      (await listPeople<UserListRecord>(db, { ...query, filter: { tenantId, sites: 'all', searchText, searchPieces } })).rows.map(
        ({ id }) => id,
      )
    const text = fc
      .tuple(fc.constantFrom(...names, ''), fc.constantFrom(' ', '', '-', '%'), fc.constantFrom(...ids, 'neil', ''))
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (whole, upper) => {
        const wanted = upper ? whole.toUpperCase() : whole
        fc.pre([...wanted].length > 2)
        expect(await find(wanted, rarePieces(wanted, everythingRare))).toEqual(await find(wanted, []))
      }),
      { seed: 6, numRuns: 120 },
    )
  })

  it('knows what is rare from a sample of the people, and nothing where there are few', async () => {
    const { db } = database
    let now = new Date('2026-03-01T00:00:00Z')
    const rarely = createSearchPieces({ db, clock: { now: () => now } })
    const pieces = async (text: string) => (await rarely())(text)
    expect(await pieces('SEED-777')).toEqual([])
    const tenantId = uuidv7()
    await db.insertInto('tenants').values({ id: tenantId, name: 'Many' }).execute()
    const connectorId = await addConnector(db, { tenantId, name: 'HR' })
    await addPeople(
      db,
      { tenantId, connectorId },
      Array.from({ length: 1500 }, (_, number) => ({ external_id: `SEED-${number}` })),
    )
    await sql`analyze users`.execute(db)
    expect(await pieces('SEED-777')).toEqual([])
    now = new Date('2026-03-01T00:11:00Z')
    expect(await pieces('SEED-777')).toEqual(expect.arrayContaining(['777']))
    expect(await pieces('seed')).toEqual([])
  })
})
