import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFetchingSource } from '../kit/testing/fetching-source-contract.ts'
import { createHttpsSource } from './https-source.ts'
import { csvOfPeople } from './testing/held-file.ts'

const signal = new AbortController().signal
const NOW = new Date('2026-03-01T12:00:00Z')
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const serve = async (answer: Answer) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin, close }
}

const source = (properties: Record<string, unknown>, secrets: Record<string, string> = {}, allowPrivate = true) =>
  createHttpsSource(
    { properties: { delivery: 'https', ...properties }, secrets },
    { allowPrivate, timeoutMilliseconds: 2000, now: () => NOW },
  )

describeFetchingSource('HTTPS', async () => {
  let content = ''
  let version = 0
  let cut = false
  const { origin, close } = await serve((request, response) => {
    if (request.headers.authorization !== 'Bearer right') return response.writeHead(401).end()
    const etag = `"${version}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    response.writeHead(200, { etag, 'content-length': Buffer.byteLength(content), 'content-type': 'text/csv' })
    if (!cut) return response.end(content)
    cut = false
    response.write(content.slice(0, content.length / 2), () => setImmediate(() => response.destroy()))
  })
  const open = (address: string, token: string) => () => source({ address, auth: 'bearer' }, { accessToken: token })
  return {
    hold: async (people) => {
      version += 1
      content = csvOfPeople(people)
    },
    open: open(`${origin}/people.csv`, 'right'),
    openWithWrongCredentials: open(`${origin}/people.csv`, 'wrong'),
    openUnreachable: open('http://127.0.0.1:9/people.csv', 'right'),
    cutNext: () => {
      cut = true
    },
    close,
  }
})

describe('a file over HTTPS', () => {
  let answer: Answer
  let server: Awaited<ReturnType<typeof serve>>
  let elsewhere: Awaited<ReturnType<typeof serve>>
  let seenElsewhere = 0
  let count = 0
  const folder = mkdtempSync(path.join(tmpdir(), 'instep-https-'))
  beforeAll(async () => {
    server = await serve((request, response) => answer(request, response))
    elsewhere = await serve((_request, response) => {
      seenElsewhere += 1
      response.end('id\nX\n')
    })
  })
  afterAll(async () => {
    await Promise.all([server.close(), elsewhere.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const fetchFrom = async (from: ReturnType<typeof source>, watermark: unknown = null) => {
    count += 1
    const file = path.join(folder, String(count))
    const fetched = await from.fetch({ path: file, watermark: watermark as null, limit: 1000, now: new Date(), signal })
    return { fetched, text: fetched && readFileSync(file, 'utf8') }
  }

  it.each([
    'http://hr.example.com/people.csv',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://10.1.2.3/x',
    'https://192.168.1.1/x',
    'https://[::1]/x',
    'https://[fd12::1]/x',
    'https://169.254.169.254/latest',
    'https://2130706433/x',
  ])('is refused at %s', (address) => {
    expect(() => source({ address }, {}, false)).toThrowError(/SOURCE_ADDRESS_REFUSED/)
  })

  it('is refused at an address of a metadata service even where the own network is allowed, and with credentials in the address', () => {
    expect(() => source({ address: 'https://169.254.169.254/' })).toThrowError(/SOURCE_ADDRESS_REFUSED/)
    expect(() => source({ address: 'https://me:secret@hr.example.com/' })).toThrowError(/SOURCE_SETTINGS_INVALID/)
    expect(() => source({ address: 'no address' })).toThrowError(/SOURCE_SETTINGS_INVALID/)
  })

  it.each(['host', 'content-length', 'if-none-match', 'two words', 'a:b'])('takes no credentials in the header %j', (headerName) => {
    expect(() => source({ address: server.origin, auth: 'header', headerName }, { accessToken: 'k' })).toThrowError(
      /SOURCE_SETTINGS_INVALID/,
    )
  })

  it('follows a redirect to the same origin, and none elsewhere, where the credentials would go with it', async () => {
    answer = (request, response) => {
      if (request.url === '/new') return response.end('id\nA\n')
      response.writeHead(302, { location: request.url === '/here' ? '/new' : `${elsewhere.origin}/people.csv` }).end()
    }
    const secrets = { accessToken: 'key' }
    const auth = { auth: 'header', headerName: 'x-api-key' }
    expect((await fetchFrom(source({ address: `${server.origin}/here`, ...auth }, secrets))).text).toBe('id\nA\n')
    const other = source({ address: `${server.origin}/there`, ...auth }, secrets)
    await expect(fetchFrom(other)).rejects.toMatchObject({ code: 'SOURCE_UNEXPECTED', params: { status: 302 } })
    expect(seenElsewhere).toBe(0)
    answer = (request, response) => response.writeHead(301, { location: `${request.url}/` }).end()
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({ code: 'SOURCE_UNEXPECTED' })
  })

  it('says what a server that cannot now, or has no such file, says', async () => {
    answer = (_request, response) => response.writeHead(503, { 'retry-after': '120' }).end()
    const busy = { code: 'SOURCE_UNAVAILABLE', params: { status: 503 }, retryable: true, retryAfterSeconds: 120 }
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject(busy)
    answer = (_request, response) => response.writeHead(429, { 'retry-after': 'Sun, 01 Mar 2026 12:01:30 GMT' }).end()
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({ retryAfterSeconds: 90 })
    answer = (_request, response) => response.writeHead(404).end()
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({
      code: 'SOURCE_UNEXPECTED',
      params: { status: 404 },
    })
  })

  it('signs in with basic credentials and asks for nothing but the file', async () => {
    let seen: IncomingMessage['headers'] = {}
    answer = (request, response) => {
      seen = request.headers
      response.end('id\nA\n')
    }
    await fetchFrom(source({ address: server.origin, auth: 'basic', username: 'hr' }, { password: 'pä:ss' }))
    expect(seen.authorization).toBe(`Basic ${Buffer.from('hr:pä:ss').toString('base64')}`)
  })

  it('unpacks what comes packed, and counts what it unpacks to', async () => {
    let body = gzipSync('id\nA\n')
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    expect((await fetchFrom(source({ address: server.origin }))).text).toBe('id\nA\n')
    body = gzipSync('A'.repeat(5000))
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    body = gzipSync('id\nA\n').subarray(0, 15)
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({ code: 'SOURCE_CUT' })
  })

  it('knows a file again that has neither ETag nor date, and knows nothing at another address', async () => {
    answer = (_request, response) => response.end('id\nA\n')
    const { fetched } = await fetchFrom(source({ address: `${server.origin}/a` }))
    expect(fetched).toMatchObject({ name: 'a.csv', modifiedAt: null })
    expect((await fetchFrom(source({ address: `${server.origin}/a` }), fetched?.watermark)).fetched).toBeUndefined()
    expect((await fetchFrom(source({ address: `${server.origin}/b` }), fetched?.watermark)).fetched).toBeDefined()
  })

  it('names the file as the server does, without any way out of a folder', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="../../staff.xlsx"' }).end('id\nA\n')
    expect((await fetchFrom(source({ address: server.origin }))).fetched?.name).toBe('....staff.xlsx')
  })

  it('takes an address as it stands that ends in what is no escape', async () => {
    answer = (_request, response) => response.writeHead(200).end('id\nA\n')
    expect((await fetchFrom(source({ address: `${server.origin}/100%/staff%zz.csv` }))).fetched?.name).toBe('staff%zz.csv')
    expect((await fetchFrom(source({ address: `${server.origin}/caf%C3%A9.csv` }))).fetched?.name).toBe('café.csv')
  })

  it('does not wait for ever', async () => {
    answer = () => {}
    await expect(fetchFrom(source({ address: server.origin }))).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      params: { reason: 'timeout' },
    })
  })
})
