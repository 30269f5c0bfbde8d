import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { describeFile } from './describe-file.ts'
import { type FileInput, openFile } from './open-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'instep-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const store = (content: string | Buffer): string => {
  files += 1
  const path = join(folder, String(files))
  writeFileSync(path, content)
  return path
}

/** Everything a file gives: its layout and its rows. */
const readAll = async (content: string | Buffer, options: Partial<FileInput> = {}) => {
  const file = await openFile({ path: store(content), name: 'people.csv', ...options })
  const rows: { number: number; cells: readonly string[] }[] = []
  for await (const batch of file.rows()) rows.push(...batch)
  return { ...file, data: rows }
}

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const BOM = '\ufeff'

/** A zip container with these entries; `claimed` is the unpacked size that its directory tells. */
const zip = (entries: readonly { name: string; content: Buffer; claimed?: number }[]): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claimed = content.length } of entries) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(claimed, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const bomb = (claimed?: number) =>
  zip([
    { name: 'xl/workbook.xml', content: Buffer.from('<workbook/>') },
    { name: 'xl/worksheets/sheet1.xml', content: Buffer.alloc(60_000_000), ...(claimed === undefined ? {} : { claimed }) },
  ])

type Cell = string | number | boolean | Date | null
const xlsx = async (rows: readonly (readonly Cell[])[]): Promise<Buffer> => {
  const written = rows.map((row) =>
    row.map((value) => (value === null ? null : { value, ...(value instanceof Date ? { type: Date, format: 'dd/mm/yyyy' } : {}) })),
  )
  return await writeXlsxFile(written as unknown as Parameters<typeof writeXlsxFile>[0]).toBuffer()
}

describe('openFile refuses', () => {
  const notTabular = (looksLike: string) => ({ code: 'FILE_NOT_TABULAR', params: { looksLike } })
  const table: [string, string | Buffer, object][] = [
    ['an empty file', '', { code: 'FILE_EMPTY' }],
    ['blank lines', ' \r\n\n \n', { code: 'FILE_EMPTY' }],
    ['a byte order mark alone', BOM, { code: 'FILE_EMPTY' }],
    ['rows of blank cells', ',,\n,,\n', { code: 'FILE_EMPTY' }],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), notTabular('xls')],
    ['a PDF', '%PDF-1.7\n...', notTabular('pdf')],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), notTabular('image')],
    ['a compressed file', Buffer.from('1f8b0800', 'hex'), notTabular('archive')],
    ['a web page', '\n<!DOCTYPE html><html><body>Sign in, please</body></html>', notTabular('html')],
    ['XML', '<?xml version="1.0"?><people/>', notTabular('xml')],
    ['JSON', '[{"id":1,"name":"a"},{"id":2,"name":"b"}]', notTabular('json')],
    ['bytes of a program', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256)), notTabular('binary')],
    ['a single column', 'name\nAna\nBo\n', notTabular('singleColumn')],
    ['a letter', 'Dear all\nplease find the people attached.\nRegards', notTabular('singleColumn')],
    ['a Word document', zip([{ name: 'word/document.xml', content: Buffer.from('x') }]), notTabular('docx')],
    ['a zip of something', zip([{ name: 'people.csv', content: Buffer.from('a,b') }]), notTabular('archive')],
    ['two columns of one name', 'id,name, id\n1,a,2\n', { code: 'FILE_DUPLICATE_HEADER', params: { name: 'id' } }],
    ['a nameless column', 'id,,name\n1,2,3\n', { code: 'FILE_HEADER_BLANK', params: { column: 2 } }],
    ['values under a nameless last column', 'id,name,\n1,a,\n2,b,c\n', { code: 'FILE_HEADER_BLANK', params: { column: 3 } }],
    ['a row longer than the header', 'id,name\n1,a\n2,b,c\n', { code: 'FILE_ROW_TOO_LONG', params: { row: 3, expected: 2, found: 3 } }],
    ['an open quote', 'id,name\n1,"a\n2,b\n', { code: 'FILE_QUOTE_OPEN', params: { row: 2 } }],
    [
      'a cell of 5 MB',
      `id,name\n1,${'x'.repeat(5_000_000)}\n`,
      { code: 'FILE_CELL_TOO_LARGE', params: { row: 2, column: 2, limit: 1_048_576 } },
    ],
    [
      'a quoted cell of 5 MB',
      `id,name\n1,"${'x\n'.repeat(2_500_000)}"\n`,
      { code: 'FILE_CELL_TOO_LARGE', params: { row: 2, column: 2, limit: 1_048_576 } },
    ],
    ['a header of 5 MB', 'x'.repeat(5_000_000), { code: 'FILE_CELL_TOO_LARGE', params: { row: 1, column: 1, limit: 1_048_576 } }],
    ['UTF-32', Buffer.from('fffe0000610000002c000000', 'hex'), { code: 'FILE_ENCODING_UNKNOWN', params: { encoding: 'utf-32' } }],
    [
      'half a character of UTF-16',
      Buffer.from(`${BOM}a,b\n1,2\n`, 'utf16le').subarray(0, -1),
      { code: 'FILE_ENCODING_UNKNOWN', params: { encoding: 'utf-16le' } },
    ],
    [
      'a mark of UTF-8 before other bytes',
      Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x2c, 0x62, 0x0a, 0xe9, 0x2c, 0x31]),
      { code: 'FILE_ENCODING_UNKNOWN', params: { encoding: 'utf-8' } },
    ],
    ['a zip that breaks off', zip([{ name: 'xl/workbook.xml', content: Buffer.from('x') }]).subarray(0, 40), { code: 'FILE_XLSX_BROKEN' }],
    ['a workbook without a sheet', zip([{ name: 'xl/workbook.xml', content: Buffer.from('<workbook/>') }]), { code: 'FILE_XLSX_BROKEN' }],
    ['a workbook that unpacks to 60 MB', bomb(), { code: 'FILE_XLSX_TOO_LARGE', params: { rows: 100_000, megabytes: 50 } }],
    ['one that lies about it', bomb(1000), { code: 'FILE_XLSX_TOO_LARGE', params: { rows: 100_000, megabytes: 50 } }],
  ]
  it.each(table)('%s', async (_name, content, expected) => {
    await expect(readAll(content)).rejects.toMatchObject(expected)
  })

  it('an encoding that was chosen and does not fit', async () => {
    const latin = Buffer.from('id,name\n1,Zoé\n', 'latin1')
    await expect(readAll(latin, { encoding: 'utf-8' })).rejects.toMatchObject({
      code: 'FILE_ENCODING_UNKNOWN',
      params: { encoding: 'utf-8' },
    })
  })

  it('a delimiter that was chosen and cuts nothing', async () => {
    await expect(readAll('id,name\n1,a\n', { delimiter: '\t' })).rejects.toMatchObject({ code: 'FILE_NOT_TABULAR' })
  })

  it('binary bytes that call themselves a workbook, as a broken one', async () => {
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256))
    await expect(readAll(bytes, { name: 'people.XLSX' })).rejects.toMatchObject({ code: 'FILE_XLSX_BROKEN' })
  })

  it('a workbook with more rows than allowed', async () => {
    const content = await xlsx([['id', 'name'], ...Array.from({ length: 12 }, (_, index) => [index, 'x'])])
    await expect(readAll(content, { limits: { xlsxRows: 10 } })).rejects.toMatchObject({
      code: 'FILE_XLSX_TOO_LARGE',
      params: { rows: 10 },
    })
  })

  it('to go on when it is aborted', async () => {
    const file = await openFile({ path: store(`id,name\n${'1,a\n'.repeat(200_000)}`) })
    const controller = new AbortController()
    const read = async () => {
      for await (const _batch of file.rows(controller.signal)) controller.abort(new Error('stop'))
    }
    await expect(read()).rejects.toThrow('stop')
  })
})

describe('openFile reads', () => {
  it('a header alone as a file with no rows', async () => {
    expect(await readAll('id;name\n')).toMatchObject({ header: ['id', 'name'], delimiter: ';', data: [] })
  })

  it('short rows filled up and empty cells at the end dropped', async () => {
    const { header, data } = await readAll('id,name,city,\n1\n2,b,c,,,\n')
    expect(header).toEqual(['id', 'name', 'city'])
    expect(data).toEqual([
      { number: 2, cells: ['1', '', ''] },
      { number: 3, cells: ['2', 'b', 'c'] },
    ])
  })

  it.each([
    [',', 'id,name,note\n1,a,x;y\n2,b,"x;y;z;w"\n'],
    [';', 'id;name;note\n1;a;"x, y, z"\n2;b;c\n'],
    ['\t', 'id\tname\n1\ta, b\n'],
    ['|', 'id|name\n1|a;b\n'],
    [';', 'sep=;\r\nid;name\r\n1;a,b\r\n'],
    [';', '"a,b,c";"d"\n1;2\n'],
  ])('the delimiter %j', async (delimiter, text) => {
    const file = await readAll(text)
    expect(file.delimiter).toBe(delimiter)
    expect(file.data.every((row) => row.cells.length === file.header.length)).toBe(true)
  })

  it('the rows below a separator line by the numbers a spreadsheet shows', async () => {
    expect((await readAll('sep=;\nid;name\n\n1;a\n')).data).toEqual([{ number: 4, cells: ['1', 'a'] }])
  })

  it('line breaks of old Macintosh programs', async () => {
    expect((await readAll('id,name\r1,a\r2,b')).data.map((row) => row.cells)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ])
  })

  const TEXT = 'id,name\n1,Zoé Großmann 😀\n'
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(BOM + TEXT), 'utf-8'],
    ['UTF-16LE with a mark', Buffer.from(BOM + TEXT, 'utf16le'), 'utf-16le'],
    ['UTF-16LE without', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
    ['UTF-16BE with a mark', utf16be(BOM + TEXT), 'utf-16be'],
    ['UTF-16BE without', utf16be(TEXT), 'utf-16be'],
  ])('%s', async (_name, bytes, encoding) => {
    expect(await readAll(bytes)).toMatchObject({ encoding, header: ['id', 'name'], data: [{ cells: ['1', 'Zoé Großmann 😀'] }] })
  })

  it('Windows-1252, the euro sign and quotes included', async () => {
    const bytes = Buffer.concat([Buffer.from('id,name\n1,'), Buffer.from([0x80, 0xdf, 0xe9, 0x93, 0x8c]), Buffer.from('\n')])
    expect(await readAll(bytes)).toMatchObject({ encoding: 'windows-1252', data: [{ cells: ['1', '€ßé“Œ'] }] })
  })

  it('the whole file as Windows-1252 when the one byte that is not UTF-8 stands at its end', async () => {
    const bytes = Buffer.concat([Buffer.from(`id,name\n1,é\n${'2,x\n'.repeat(200_000)}`), Buffer.from('3,Jos\xe9\n', 'latin1')])
    const { encoding, data } = await readAll(bytes)
    expect(encoding).toBe('windows-1252')
    expect([data[0]?.cells[1], data.at(-1)?.cells[1]]).toEqual(['Ã©', 'José'])
  })

  it('another encoding or delimiter when chosen', async () => {
    const file = await readAll(Buffer.from('id;na,me\n1;é,x\n'), { encoding: 'windows-1252', delimiter: ',' })
    expect(file).toMatchObject({ encoding: 'windows-1252', header: ['id;na', 'me'], data: [{ cells: ['1;Ã©', 'x'] }] })
  })

  it('characters that are cut between two reads of the disk, in every encoding', async () => {
    const filler = fc.integer({ min: 262_120, max: 262_150 })
    const encode = {
      'utf-8': (text: string) => Buffer.from(text),
      'utf-16le': (text: string) => Buffer.from(BOM + text, 'utf16le'),
      'utf-16be': (text: string) => utf16be(BOM + text),
    }
    await fc.assert(
      fc.asyncProperty(filler, fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), async (length, encoding) => {
        const size = encoding === 'utf-8' ? length : length / 2
        const text = `id,name\n1,${'x'.repeat(size - 20)}${'é😀€'.repeat(8)}\n2,b\n`
        const { data } = await readAll(encode[encoding](text))
        expect(data.map((row) => row.cells.join()).join('\n')).toBe(text.trim().slice(8))
      }),
      { seed: 3, numRuns: 60 },
    )
  })

  it('a large file in small batches, and again from the start', async () => {
    const file = await openFile({
      path: store(`id,name\n${Array.from({ length: 50_000 }, (_, index) => `${index},"Name ${index}"\n`).join('')}`),
    })
    for (const _round of [1, 2]) {
      let expected = 2
      for await (const batch of file.rows()) {
        expect(batch.length).toBeLessThanOrEqual(1000)
        for (const row of batch)
          if (row.number !== expected++ || row.cells[0] !== String(row.number - 2)) throw new Error(`row ${row.number}`)
      }
      expect(expected).toBe(50_002)
    }
  })

  it('many times what it holds: large cells come in batches no larger than what was read', async () => {
    const row = `1,${'x'.repeat(100_000)}\n`
    const file = await openFile({ path: store(`id,name\n${row.repeat(300)}`) })
    let largest = 0
    for await (const batch of file.rows())
      largest = Math.max(
        largest,
        batch.reduce((sum, { cells }) => sum + cells.join().length, 0),
      )
    expect(largest).toBeLessThan(1_000_000)
  })
})

describe('openFile reads XLSX', () => {
  it('text as it is, dates as days, numbers without exponents, booleans, gaps', async () => {
    const content = await xlsx([
      ['id', 'name', 'start', 'number', 'flag'],
      ['0012', '  Zoé\nLi ', new Date('2024-02-29'), 12345678901, true],
      [null, null, null, null, null],
      ['2', null, new Date('2024-03-01T13:45:10Z'), 0.1 + 0.2, false],
      ['3', 'x', null, 1e21, null],
    ])
    const { format, encoding, delimiter, header, data } = await readAll(content)
    expect({ format, encoding, delimiter, header }).toEqual({
      format: 'xlsx',
      encoding: null,
      delimiter: null,
      header: ['id', 'name', 'start', 'number', 'flag'],
    })
    expect(data).toEqual([
      { number: 2, cells: ['0012', '  Zoé\nLi ', '2024-02-29', '12345678901', 'true'] },
      { number: 4, cells: ['2', '', '2024-03-01T13:45:10', '0.3', 'false'] },
      { number: 5, cells: ['3', 'x', '', '1000000000000000000000', ''] },
    ])
  })

  it('the sheet that a person sees, merged cells where they begin, formulas as what they came to, and errors as errors', async () => {
    const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
    const sheet = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
    const header = `<row r="1">${text('A1', 'id')}${text('B1', 'team')}${text('C1', 'start')}</row>`
    const content = zip(
      [
        {
          name: 'xl/workbook.xml',
          content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Lists" sheetId="1" state="veryHidden" r:id="rId1"/>
          <sheet name="People" sheetId="2" r:id="rId2"/></sheets></workbook>`,
        },
        {
          name: 'xl/_rels/workbook.xml.rels',
          content: `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>
          <Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
        },
        { name: 'xl/worksheets/sheet1.xml', content: sheet(`<row r="1">${text('A1', 'secret')}${text('B1', 'list')}</row>`) },
        {
          name: 'xl/worksheets/sheet2.xml',
          content: sheet(
            `${header}<row r="2">${text('A2', '1')}<c r="B2" t="str"><f>A2&amp;"x"</f><v>1x</v></c><c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
           <row r="3">${text('A3', '2')}<c r="B3" t="e"><v>#N/A</v></c><c r="C3"/></row><row r="4">${text('A4', '3')}<c r="B4"><f>X1</f></c></row>`,
          ).replace('</sheetData>', '</sheetData><mergeCells count="1"><mergeCell ref="A3:A4"/></mergeCells>'),
        },
      ].map(({ name, content: of }) => ({ name, content: Buffer.from(of) })),
    )
    const { header: names, data } = await readAll(content)
    expect(names).toEqual(['id', 'team', 'start'])
    expect(data).toEqual([
      { number: 2, cells: ['1', '1x', '#DIV/0!'] },
      { number: 3, cells: ['2', '#N/A', ''] },
      { number: 4, cells: ['3', '', ''] },
    ])
  })

  it('a sheet with nothing in it as an empty file', async () => {
    await expect(readAll(await xlsx([[null]]))).rejects.toMatchObject({ code: 'FILE_EMPTY' })
  })
})

describe('describeFile', () => {
  it('tells samples, how full a column is and which dates it holds', async () => {
    const described = await describeFile({ path: store('id;name;start;seen\n1;Ana;31/01/2024;01/02/2024\n2;;01/02/2024;\n') })
    expect(described).toMatchObject({
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      sampleRows: [
        ['1', 'Ana', '31/01/2024', '01/02/2024'],
        ['2', '', '01/02/2024', ''],
      ],
    })
    expect(described.columns).toEqual([
      { name: 'id', samples: ['1', '2'], filled: 1, dateFormats: [] },
      { name: 'name', samples: ['Ana'], filled: 0.5, dateFormats: [] },
      { name: 'start', samples: ['31/01/2024', '01/02/2024'], filled: 1, dateFormats: ['DMY'] },
      { name: 'seen', samples: ['01/02/2024'], filled: 0.5, dateFormats: ['DMY', 'MDY'] },
    ])
  })

  it('looks at a thousand rows and shows the beginning of long cells', async () => {
    const { columns, sampleRows } = await describeFile({ path: store(`id,name\n${`1,${'x'.repeat(5000)}\n`.repeat(1100)}2,a,b,c\n`) })
    expect(sampleRows).toHaveLength(20)
    expect(columns[1]?.samples[0]).toBe(`${'x'.repeat(200)}…`)
  })
})
