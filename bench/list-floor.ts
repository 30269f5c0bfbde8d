/** The floor of the list scenario: node:http and pg, which verify the same token and run the same statements, and nothing else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'
import { answer, cpuMicroseconds } from './child.ts'

interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

const [database = '{}', keys = '', issuer = ''] = process.argv.slice(2)
/** As many lists as the server reads at one time. */
const CONNECTIONS = 2 * availableParallelism()
const pool = new pg.Pool({ ...(JSON.parse(database) as pg.PoolConfig), max: CONNECTIONS, idleTimeoutMillis: 600_000 })
const jwks = createRemoteJWKSet(new URL(keys))
const programs: Statement[][] = []

const server = createServer(async (request, response) => {
  const token = request.headers.authorization?.slice(7) ?? ''
  await jwtVerify(token, jwks, { issuer })
  // the body is read, as it has to be
  for await (const _ of request);
  let rows: unknown[] = []
  for (const statement of programs[Number(request.url?.slice(1))] ?? []) rows = (await pool.query(statement)).rows
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: rows }))
})
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo
  await answer({ url: `http://127.0.0.1:${port}` }, (question: 'cpu' | Statement[]) => {
    if (question === 'cpu') return cpuMicroseconds()
    return programs.push(question) - 1
  })
  server.closeAllConnections()
  server.close()
  await pool.end()
})
