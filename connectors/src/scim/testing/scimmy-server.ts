import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express from 'express'
import SCIMMY from 'scimmy'
import SCIMMYRouters from 'scimmy-routers'

type Account = Record<string, unknown> & { id: string; userName: string }

export interface ScimmyServer {
  readonly baseUrl: string
  readonly token: string
  readonly accounts: Map<string, Account>
  close(): Promise<void>
}

const TOKEN = 'scimmy-token'

// what a process declares to it stays: one set of accounts, emptied by whoever starts a server
const accounts = new Map<string, Account>()

const isTaken = (given: { userName?: unknown }, except: string | undefined): boolean =>
  [...accounts.values()].some(
    ({ id, userName }) => id !== except && String(userName).toLowerCase() === String(given.userName).toLowerCase(),
  )

SCIMMY.Resources.declare(SCIMMY.Resources.User)
  .extend(SCIMMY.Schemas.EnterpriseUser, false)
  .ingress((resource, data) => {
    const given = JSON.parse(JSON.stringify(data)) as Omit<Account, 'id'> & { userName: string }
    if (resource.id !== undefined && !accounts.has(resource.id)) throw new SCIMMY.Types.Error(404, '', `Resource ${resource.id} not found`)
    if (isTaken(given, resource.id)) throw new SCIMMY.Types.Error(409, 'uniqueness', 'userName is taken')
    const id = resource.id ?? randomUUID()
    const account = { ...given, id, meta: { resourceType: 'User' } }
    accounts.set(id, account)
    return account
  })
  .egress((resource) => {
    if (resource.id === undefined) return [...accounts.values()]
    const account = accounts.get(resource.id)
    if (!account) throw new SCIMMY.Types.Error(404, '', `Resource ${resource.id} not found`)
    return account
  })
  .degress((resource) => {
    if (!accounts.delete(resource.id ?? '')) throw new SCIMMY.Types.Error(404, '', `Resource ${resource.id} not found`)
  })

/** The SCIM server of the packages `scimmy` and `scimmy-routers`, an implementation that is not ours, on a free port; accounts in memory. */
export const startScimmy = async (): Promise<ScimmyServer> => {
  accounts.clear()
  const app = express()
  const handler = (request: express.Request): string => {
    if (request.header('authorization') !== `Bearer ${TOKEN}`) throw new Error('not let in')
    return 'instep'
  }
  // it writes numbers into the query, which Express 5 would read anew each time
  app.use((request, _response, next) => {
    Object.defineProperty(request, 'query', { value: request.query, writable: true })
    next()
  })
  app.use('/scim', new SCIMMYRouters({ type: 'bearer', handler }) as unknown as express.RequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => server.once('listening', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`,
    token: TOKEN,
    accounts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
