import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedEvent {
  readonly id: string
  readonly timestamp: number
  /** How many of the signatures are by the receiver's own secret. */
  readonly valid: number
  readonly signatures: number
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: {
      readonly userId: string
      readonly sequence: number
      readonly previousSequence: number
      readonly account: Record<string, unknown> | null
      readonly changes: readonly { field: string; before: unknown; after: unknown }[]
    }
  }
}

/** Answers one event instead of the receiver; `take` lets it do its work first. */
export type Fault = (response: ServerResponse, take: () => void) => void

export interface WebhookReceiver {
  readonly url: string
  /** With which signatures are checked; another one may be set. */
  secret: string
  /** Every attempt, in the order in which it arrived. */
  readonly attempts: ReceivedEvent[]
  /** What the receiver holds, by person, after each event was taken once. */
  readonly accounts: Map<string, Record<string, unknown>>
  /** Events whose sequence was not after that of one taken before, though they had not been taken themselves. */
  readonly outOfOrder: ReceivedEvent[]
  /** The next events are answered like this, one each. */
  misbehave(...faults: Fault[]): void
  close(): Promise<void>
}

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

/** Written from the specification alone, as a receiver's author would (Standard Webhooks 1.0.0). */
const validSignatures = (secret: string, [id, timestamp, body]: readonly [string, string, string], header: string): number => {
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest()
  return header.split(' ').filter((signature) => {
    const [version, encoded = ''] = signature.split(',')
    const given = Buffer.from(encoded, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  }).length
}

/** What a receiver keeps: accounts, the ids of what it took, the last sequence of each person. */
const createBooks = () => {
  const accounts = new Map<string, Record<string, unknown>>()
  const taken = new Set<string>()
  const last = new Map<string, number>()
  const outOfOrder: ReceivedEvent[] = []
  const take = (event: ReceivedEvent): void => {
    if (event.body.type === 'test' || taken.has(event.id)) return
    taken.add(event.id)
    const { userId, sequence, account } = event.body.data
    if (sequence <= (last.get(userId) ?? 0)) {
      outOfOrder.push(event)
      return
    }
    last.set(userId, sequence)
    if (account) accounts.set(userId, account)
    else accounts.delete(userId)
  }
  return { accounts, outOfOrder, take }
}

/** A receiver of signed events in memory on a free port of this machine, which can be told to answer badly. */
export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const { accounts, outOfOrder, take } = createBooks()
  const attempts: ReceivedEvent[] = []
  const faults: Fault[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const header = (name: string) => String(request.headers[name] ?? '')
    const signatures = header('webhook-signature')
    const id = header('webhook-id')
    const event: ReceivedEvent = {
      id,
      timestamp: Number(header('webhook-timestamp')),
      valid: validSignatures(receiver.secret, [id, header('webhook-timestamp'), text], signatures),
      signatures: signatures.split(' ').length,
      body: JSON.parse(text) as ReceivedEvent['body'],
    }
    attempts.push(event)
    const fault = faults.shift()
    if (fault) return fault(response, () => take(event))
    if (event.valid === 0) return void response.writeHead(401).end('bad signature')
    take(event)
    response.writeHead(200).end('thank you')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/instep?of=tests`,
    secret: SECRET,
    attempts,
    accounts,
    outOfOrder,
    misbehave: (...more) => void faults.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
