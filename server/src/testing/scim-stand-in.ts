import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An account as the target holds it. */
interface HeldAccount {
  readonly id: string
  document: Record<string, unknown>
}

export interface ScimStandIn {
  readonly url: string
  readonly accounts: Map<string, HeldAccount>
  /** How many requests it has had. */
  requests(): number
  close(): Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text ? (JSON.parse(text) as Record<string, unknown>) : {}
}

/**
 * A SCIM target that takes every create, even a second one for the same person: what is done twice shows in its accounts. It answers after a
 * few milliseconds, so that a crash can fall between act and answer.
 */
export const startScimStandIn = async (): Promise<ScimStandIn> => {
  const accounts = new Map<string, HeldAccount>()
  let made = 0
  let requests = 0

  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    requests += 1
    const url = new URL(request.url ?? '/', 'http://target')
    const id = url.pathname.match(/^\/Users\/(.+)$/)?.[1]
    const body = await bodyOf(request)
    if (request.method === 'POST') {
      made += 1
      const account = { id: `a${made}`, document: body }
      accounts.set(account.id, account)
      return [201, { ...body, id: account.id, meta: { resourceType: 'User' } }]
    }
    if (!id) return [200, listed(url)]
    const account = accounts.get(id)
    if (!account) return [404, { status: '404', detail: 'no such account' }]
    if (request.method === 'PUT') account.document = body
    if (request.method === 'PATCH') patch(account, body)
    if (request.method === 'DELETE') accounts.delete(id)
    return request.method === 'DELETE' ? [204, undefined] : [200, { ...account.document, id }]
  }

  const listed = (url: URL) => {
    const [, attribute, value] = url.searchParams.get('filter')?.match(/^(\w+) eq "(.*)"$/) ?? []
    const all = [...accounts.values()].filter(({ document }) => !attribute || String(document[attribute]) === value)
    const start = Number(url.searchParams.get('startIndex') ?? 1)
    const count = Number(url.searchParams.get('count') ?? 100)
    const page = all.slice(start - 1, start - 1 + count)
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: all.length,
      startIndex: start,
      itemsPerPage: page.length,
      Resources: page.map(({ id, document }) => ({ ...document, id })),
    }
  }

  const patch = (account: HeldAccount, body: Record<string, unknown>) => {
    for (const { path, value } of body['Operations'] as { path?: string; value: unknown }[]) {
      if (path) account.document[path] = value
      else Object.assign(account.document, value)
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) =>
        setTimeout(
          () => response.writeHead(status, { 'content-type': 'application/scim+json' }).end(body === undefined ? '' : JSON.stringify(body)),
          3,
        ),
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
