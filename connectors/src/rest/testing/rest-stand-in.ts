import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TEST_CERTIFICATE, TEST_KEY } from '../../kit/testing/test-certificate.ts'

export interface StandInRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Handler = (response: ServerResponse, request: StandInRequest) => void

export interface RestStandIn {
  readonly origin: string
  readonly received: StandInRequest[]
  /** Answers the next requests instead of the handler, one each; undefined lets it be answered. */
  misbehave(...ways: (Handler | undefined)[]): void
  close(): Promise<void>
}

/** Sends JSON. */
export const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Sends a status with a body of one's own. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Handler =>
  (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

/** An HTTP server in this process whose answers the test decides. */
export const startRestStandIn = async (handle: Handler, { tls = false } = {}): Promise<RestStandIn> => {
  const received: StandInRequest[] = []
  const ways: (Handler | undefined)[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const seen = { path: url.pathname, query: url.searchParams, headers: request.headers, body: Buffer.concat(chunks).toString() }
    received.push(seen)
    const way = ways.shift() ?? handle
    way(response, seen)
  }
  const server = tls ? createSecureServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, take) : createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    misbehave: (...next) => ways.push(...next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
