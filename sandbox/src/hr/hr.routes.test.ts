import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxForTests, type TestSandbox } from '../testing/sandbox-for-tests.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await sandboxForTests()
})
afterAll(() => sandbox.close())

const download = async (query = '', company = 'northwind') => {
  const response = await fetch(`${sandbox.url()}/hr/${company}/export.csv${query}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

type Row = Record<string, string>

const rowsOf = (text: string, delimiter = ','): Row[] => parse(text, { columns: true, delimiter })

const rowsToday = async (query = ''): Promise<Row[]> => rowsOf((await download(query)).bytes.toString('utf8'))

interface Status {
  readonly day: number
  readonly people: number
  readonly joiners: number
  readonly movers: number
  readonly leavers: number
}

const post = async (path: string, body: Record<string, string> = {}) => {
  const response = await fetch(`${sandbox.url()}${path}`, {
    method: 'POST',
    body: new URLSearchParams(body),
    headers: { accept: 'application/json' },
  })
  const text = await response.text()
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Partial<Status> }
}

describe('the employee export', () => {
  it('refuses an encoding or a delimiter that it does not know', async () => {
    expect((await download('?encoding=ebcdic')).response.status).toBe(400)
    expect((await download('?delimiter=pipe')).response.status).toBe(400)
    expect((await download('', 'nobody')).response.status).toBe(404)
  })

  it('has one row per person and dates day first', async () => {
    const rows = await rowsToday()
    expect(rows).toHaveLength(200)
    expect(new Set(rows.map((row) => row['Person ID'])).size).toBe(200)
    for (const row of rows) {
      expect(row['Start date']).toMatch(/^\d\d\/\d\d\/\d{4}$/)
      expect(row['End date']).toMatch(/^(\d\d\/\d\d\/\d{4})?$/)
      expect(row['Date of birth']).toMatch(/^\d\d\/\d\d\/\d{4}$/)
    }
  })

  it.each([
    { encoding: 'utf-8', label: 'utf-8', delimiter: 'comma', character: ',' },
    { encoding: 'utf-8-bom', label: 'utf-8', delimiter: 'semicolon', character: ';' },
    { encoding: 'utf-16le', label: 'utf-16le', delimiter: 'semicolon', character: ';' },
    { encoding: 'utf-16le', label: 'utf-16le', delimiter: 'comma', character: ',' },
  ])('says the same in $encoding with $delimiter', async ({ encoding, label, delimiter, character }) => {
    const { bytes } = await download(`?encoding=${encoding}&delimiter=${delimiter}`)
    const text = new TextDecoder(label, { fatal: true }).decode(bytes)
    expect(rowsOf(text, character)).toEqual(await rowsToday())
  })

  it('starts with a byte order mark only where the encoding has one', async () => {
    const start = async (encoding: string) => (await download(`?encoding=${encoding}`)).bytes.subarray(0, 3).toString('hex')
    expect(await start('utf-8')).toBe(Buffer.from('Per').toString('hex'))
    expect(await start('utf-8-bom')).toBe('efbbbf')
    expect(await start('utf-16le')).toMatch(/^fffe/)
    expect(await start('windows-1252')).toBe(Buffer.from('Per').toString('hex'))
  })

  it('says in Windows-1252 what the code page can say, and a question mark for the rest', async () => {
    const { bytes } = await download('?encoding=windows-1252')
    const rows = rowsOf(new TextDecoder('windows-1252').decode(bytes))
    const isWestern = (text: string) => /[\u00a0-\u00ff\u0020-\u007e€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/.test(text)
    const expected = (await rowsToday()).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, [...value].map((each) => (isWestern(each) ? each : '?')).join('')]),
      ),
    )
    expect(rows).toEqual(expected)
    expect(rows.some((row) => row['First name']?.includes('?') || row['Last name']?.includes('?'))).toBe(true)
    expect(bytes.includes(Buffer.from([0xe9]))).toBe(true)
  })

  it('says the same as a workbook, with real dates', async () => {
    const response = await fetch(`${sandbox.url()}/hr/northwind/export.xlsx`)
    const [headers = [], ...rows] = await readSheet(Buffer.from(await response.arrayBuffer()))
    const text = (value: unknown) =>
      value instanceof Date ? value.toISOString().slice(0, 10).split('-').reverse().join('/') : (value ?? '')
    const read = rows.map((row) => Object.fromEntries(headers.map((header, index) => [String(header), text(row[index])])))
    expect(read).toEqual(await rowsToday())
    expect(rows[0]?.[headers.indexOf('Start date')]).toBeInstanceOf(Date)
  })
})

describe('a bad day', () => {
  it('refuses a kind of trouble that it does not know', async () => {
    expect((await post('/hr/northwind/bad-day', { kind: 'locusts' })).status).toBe(400)
    expect((await post('/hr/northwind/bad-day')).status).toBe(400)
  })

  it('can be looked at without making the day a bad one', async () => {
    expect(await rowsToday('?trouble=header-only')).toEqual([])
    expect(await rowsToday()).toHaveLength(200)
  })

  it('misses the last 30 % of the people', async () => {
    await post('/hr/northwind/bad-day', { kind: 'missing-people' })
    const rows = await rowsToday()
    expect(rows).toHaveLength(140)
    await post('/hr/northwind/bad-day', { kind: 'none' })
    expect((await rowsToday()).slice(0, 140)).toEqual(rows)
  })

  it('has nothing but its header', async () => {
    const { bytes } = await download('?trouble=header-only')
    expect(bytes.toString('utf8').split('\r\n').filter(Boolean)).toHaveLength(1)
  })

  it('calls the column of the external id by another name', async () => {
    const [row] = await rowsToday('?trouble=renamed-column')
    expect(row).not.toHaveProperty('Person ID')
    expect(row).toHaveProperty('Worker reference', 'NW-100000')
  })

  it('has an impossible date, a missing last name and one person twice', async () => {
    const rows = await rowsToday('?trouble=bad-rows')
    expect(rows.filter((row) => row['Start date'] === '31/02/2024')).toHaveLength(1)
    expect(rows.filter((row) => row['Last name'] === '')).toHaveLength(1)
    expect(rows).toHaveLength(201)
    expect(new Set(rows.map((row) => row['Person ID'])).size).toBe(200)
  })

  it('ends with the next day', async () => {
    await post('/hr/contoso/bad-day', { kind: 'header-only' })
    const { body } = await post('/hr/contoso/next-day')
    expect(body).toMatchObject({ company: 'contoso', day: 2, trouble: null })
  })
})

describe('the next day', () => {
  it('refuses another site’s form', async () => {
    const response = await fetch(`${sandbox.url()}/hr/northwind/next-day`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })
    expect(response.status).toBe(403)
  })

  it('changes the export by exactly what it says', async () => {
    const before = new Map((await rowsToday()).map((row) => [row['Person ID'], row]))
    const { body } = await post('/hr/northwind/next-day')
    const after = new Map((await rowsToday()).map((row) => [row['Person ID'], row]))
    const changed = [...after].filter(([id, row]) => before.has(id) && JSON.stringify(before.get(id)) !== JSON.stringify(row))
    expect(body).toMatchObject({ day: 2, people: after.size })
    expect([...after.keys()].filter((id) => !before.has(id))).toHaveLength(body.joiners ?? -1)
    expect([...before.keys()].filter((id) => !after.has(id))).toHaveLength(body.leavers ?? -1)
    expect(changed).toHaveLength(body.movers ?? -1)
  })

  it('takes a browser back to the page, which names everyone who changed', async () => {
    const response = await fetch(`${sandbox.url()}/hr/northwind/next-day`, { method: 'POST', headers: { accept: 'text/html' } })
    expect(response.url).toBe(`${sandbox.url()}/hr/northwind`)
    const page = await response.text()
    expect(page).toContain('Day 3')
    for (const word of ['Joiner', 'Mover', 'Leaver']) expect(page).toContain(`${word}</span>`)
  })
})
