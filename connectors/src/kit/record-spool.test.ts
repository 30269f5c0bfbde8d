import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createCsvParser } from '../file/csv-parser.ts'
import { flattenRecord } from '../rest/flatten-record.ts'
import { parseJson } from '../rest/json-text.ts'
import { createRecordSpool } from './record-spool.ts'
import { readFetched } from './testing/fetched-people.ts'

const dir = mkdtempSync(join(tmpdir(), 'instep-spool-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const path = join(dir, 'people.csv')

const write = async (records: readonly ReadonlyMap<string, string>[], limit = 2 ** 30) => {
  const spool = await createRecordSpool(path, limit)
  try {
    for (const record of records) await spool.add(record)
    await spool.finish()
    return spool.columns
  } finally {
    await spool.discard()
  }
}

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '|', '\u2028', '\u0085', '\ufeff', '=', '+', '@', '-', ' ', '\0', 'é', '👩‍🏭'),
  }),
  fc.constantFrom('=1+1', '+SUM(A1)', '@x', '-2', 'sep=;', '"', '""', '\ufeffid'),
)

/** Any JSON, with names that are hard on a header. */
const { record } = fc.letrec((tie) => ({
  record: fc.dictionary(cell, tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { maxDepth: 3 },
    cell,
    fc.constantFrom(null, true, false, 12345, 1.5),
    fc.array(cell, { maxLength: 3 }),
    fc.array(tie('record'), { maxLength: 3 }),
    tie('record'),
  ),
})) as { record: fc.Arbitrary<Record<string, unknown>> }

describe('records on their way into a file', () => {
  it('come back code point for code point, whatever stands in their names and values', async () => {
    const property = fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
      const flat = records.map((one) => flattenRecord(parseJson(JSON.stringify(one)) as Record<string, unknown>))
      fc.pre(flat.every((cells) => [...cells.keys()].every((name) => name.length <= 300)))
      const columns = await write(flat)
      fc.pre(columns.length > 0)
      const parser = createCsvParser({ delimiter: ',', newline: '\n', cellLimit: 1e6 })
      const rows = [...parser.push(readFileSync(path, 'utf8')), ...parser.end()].map(({ cells }) => cells)
      const [header, ...found] = rows
      expect(header).toEqual(columns)
      // what the reader makes of a header: no two columns may become one, none may be lost
      expect(new Set(columns.map((name) => name.replace(/\s+/g, ' ').trim().normalize('NFC')))).toEqual(new Set(columns))
      const expected = flat.map((cells) => columns.map((name) => (cells.get(name) ?? '').toWellFormed()))
      expect(found).toEqual(expected.filter((cells) => cells.some((text) => text.trim() !== '')))
    })
    await fc.assert(property, { seed: 4, numRuns: 300 })
  })

  it('are read as a table by the reader of files', async () => {
    const cells = (id: string, text: string) =>
      new Map([
        ['id', id],
        ['text;a|b', text],
      ])
    await write([cells('1', 'a;b;c;d'), cells('2', 'a|b\tc|d'), cells('3', '=1,"x"\r\ny')])
    expect(await readFetched(path)).toEqual([
      { id: '1', 'text;a|b': 'a;b;c;d' },
      { id: '2', 'text;a|b': 'a|b\tc|d' },
      { id: '3', 'text;a|b': '=1,"x"\r\ny' },
    ])
  })

  it('leave nothing behind when they are too large', async () => {
    rmSync(path, { force: true })
    await expect(write([new Map([['id', 'x'.repeat(200)]])], 100)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      params: { limit: '100 bytes' },
    })
    expect(readdirSync(dir)).toEqual([])
  })
})
