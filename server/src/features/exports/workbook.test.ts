import { constants } from 'node:fs'
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWriter } from './file-writers.ts'
import { columnName, sheetRow } from './workbook.rules.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'instep-workbook-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const HEAD = ['Name', 'Note']
const written = async (name: string, batches: readonly string[][][]): Promise<string> => {
  const path = join(folder, name)
  const writer = openWriter('xlsx', path)
  for (const batch of batches) await writer.add(batch)
  await writer.end()
  return path
}

describe('a workbook', () => {
  it('that cannot be written fails instead of ending the process, and may be given up', async () => {
    const writer = openWriter('xlsx', join(folder, 'no', 'such', 'folder.xlsx'))
    await expect(writer.add([HEAD]).then(() => writer.end())).rejects.toThrow(/ENOENT|destroyed/)
    await writer.abort()
    const other = openWriter('xlsx', join(folder, 'given-up.xlsx'))
    await other.add([HEAD])
    await other.abort()
  })

  it('holds texts as they are: no formula, nothing lost between tags, no character that XML has not', async () => {
    const odd = [
      '=1+1',
      '<b>&amp;</b>',
      ' two  spaces ',
      '😀 é',
      '_x0041_',
      'a\u0001\u000bb',
      'it\'s "quoted"',
      'a\r\nb\tc',
      '\uffff',
      '0012',
    ]
    const path = await written('odd.xlsx', [[HEAD], odd.map((text, index) => [text, index % 2 === 0 ? '' : text])])
    const rows = await readSheet(await readFile(path), { trim: false })
    expect(rows.slice(1).map(([text]) => text)).toEqual(odd)
    expect(rows.slice(1).map(([, text]) => text !== null)).toEqual(odd.map((_, index) => index % 2 === 1))
  })

  it('of nobody has its head', async () => {
    expect(await readSheet(await readFile(await written('head.xlsx', [[HEAD]])))).toEqual([HEAD])
  })

  it('of more people than the memory of a sheet is read back whole', async () => {
    const batch = (from: number) => Array.from({ length: 1000 }, (_, index) => [`Person ${from + index}`, 'x'.repeat(40)])
    const path = await written('many.xlsx', [[HEAD], ...Array.from({ length: 30 }, (_, index) => batch(index * 1000))])
    await access(path, constants.R_OK)
    expect((await stat(path)).size).toBeLessThan(1_000_000)
    const rows = await readSheet(await readFile(path))
    expect(rows).toHaveLength(30_001)
    expect(rows.at(-1)).toEqual(['Person 29999', 'x'.repeat(40)])
  })
})

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is called %s', (index, name) => expect(columnName(index)).toBe(name))

it('an empty cell is left out, and the others keep their place', () => {
  expect(sheetRow(['', 'b'], 7)).toBe('<row r="7"><c r="B7" t="inlineStr"><is><t xml:space="preserve">b</t></is></c></row>')
})
