import type { Misbehaviour } from './scim-stand-in.ts'

const json = { 'content-type': 'application/scim+json' }
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const DRIP_MS = 20
const PIECE = 'x'.repeat(65_536)

const answering =
  (status: number, headers: Record<string, string> = {}): Misbehaviour =>
  (response) =>
    void response.writeHead(status, headers).end()

/** An answer of success that may have a body: what is written after 204 goes nowhere, and without end. */
const withBody = (status: number): number => (status === 204 ? 200 : status)

/** Writes until nobody listens any more. */
const pouring: Misbehaviour = (response, accept) => {
  response.writeHead(withBody(accept().status), json)
  const pour = () => {
    while (!response.destroyed && response.write(PIECE));
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}

const dripping: Misbehaviour = (response, accept) => {
  response.writeHead(withBody(accept().status), json)
  const drip = setInterval(() => response.write(' '), DRIP_MS)
  response.once('close', () => clearInterval(drip))
}

/** What a target may do to one request instead of answering it well, by name. Those that act first have changed their accounts. */
export const FAULTS: Readonly<Record<string, Misbehaviour>> = {
  '429 with Retry-After': answering(429, { 'retry-after': '7' }),
  '429 without Retry-After': answering(429),
  '500': answering(500),
  '502 after acting': (response, accept) => {
    accept()
    response.writeHead(502).end('<html>Bad gateway</html>')
  },
  timeout: () => undefined,
  'timeout after acting': (_, accept) => void accept(),
  'reset before acting': (response) => void response.destroy(),
  'reset after acting': (response, accept) => {
    accept()
    response.destroy()
  },
  'slow drip': dripping,
  'invalid JSON': (response, accept) => {
    response.writeHead(withBody(accept().status), json).end('{"id":')
  },
  '200 with an error body': (response) =>
    void response.writeHead(200, json).end(JSON.stringify({ schemas: [ERROR], status: '500', detail: 'database is read only' })),
  'wrong id returned': (response, accept) => {
    const { status, body } = accept()
    const other = { ...body, id: 'somebody-else', externalId: 'somebody-else', userName: 'somebody.else@example.com' }
    response.writeHead(withBody(status), json).end(JSON.stringify(other))
  },
  redirect: answering(307, { location: 'http://127.0.0.1:1/scim/v2/Users' }),
  'huge body': pouring,
}
