/** Starts the outside world: an HR system at /hr and a workplace at /workplace, over real HTTP. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { hrRoutes } from './hr/hr.routes.ts'
import { openHrSystem } from './hr/hr-system.ts'
import { type Journal, openJournal } from './journal.ts'
import { html } from './web/html.ts'
import { sendPage } from './web/layout.ts'
import { sameOriginOnly, securityHeaders } from './web/security.ts'
import { workplaceInterfaces, workplacePageRoutes } from './workplace/workplace.routes.ts'
import { openWorkplace } from './workplace/workplace.ts'
import { COMPANIES } from './world.ts'

/** What the sandbox needs to start. `port` 0 takes a free one; the same `dataDir`, `people` and `seed` show the same world again. */
export interface SandboxOptions {
  readonly port: number
  readonly host?: string
  readonly dataDir: string
  /** People of Northwind on the first day; at least 1. */
  readonly people?: number
  readonly seed?: number
}

export interface Sandbox {
  /** Without a trailing slash, e.g. `http://127.0.0.1:8090`. */
  readonly url: string
  readonly port: number
  /** Stops answering; resolves when the port is free. */
  close(): Promise<void>
}

const STYLE = readFileSync(new URL('./web/sandbox.css', import.meta.url))

const homeContent = html`<h1>Sandbox</h1>
<p>The outside world: where people come from, and where their accounts go.</p>
<ul>
<li><a href="/hr">HR system</a></li>
${COMPANIES.map((company) => html`<li><a href="/workplace/${company.slug}">Workplace of ${company.name}</a></li>`)}
</ul>`

/** A body that cannot be read is the client's mistake and carries its status; everything else is ours and goes to standard error. */
// biome-ignore lint/complexity/useMaxParams: Express tells an error handler by its four parameters
const answerError = (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500
  if (status >= 500) process.stderr.write(`Sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
  if (response.headersSent) return void response.destroy()
  const content = html`<h1>${status >= 500 ? 'Something went wrong' : 'That could not be read'}</h1><p><a href="/">Start</a></p>`
  sendPage(response, { title: 'Something went wrong', system: 'Sandbox', path: '', content }, status)
}

const buildApp = (journal: Journal, world: { people: number; seed: number }): Express => {
  const systems = COMPANIES.map((company) => openHrSystem(company, { ...world, journal }))
  const workplaces = COMPANIES.map((company) => openWorkplace(company, { journal, now: () => new Date() }))
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.get('/healthz', (_request, response) => response.json({ ok: true }))
  app.use('/workplace', workplaceInterfaces(workplaces))
  app.use(securityHeaders, sameOriginOnly, express.urlencoded({ extended: false }), express.json())
  app.get('/assets/sandbox.css', (_request, response) => response.type('css').send(STYLE))
  app.get('/', (_request, response) => sendPage(response, { title: 'Start', system: 'Sandbox', path: '/', content: homeContent }))
  app.use('/hr', hrRoutes(systems))
  app.use('/workplace', workplacePageRoutes(workplaces))
  app.use((_request, response) => {
    const content = html`<h1>Nothing here</h1><p>There is no such page. <a href="/">Start</a></p>`
    sendPage(response, { title: 'Nothing here', system: 'Sandbox', path: '', content }, 404)
  })
  app.use(answerError)
  return app
}

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })

/**
 * Opens the world kept in `dataDir` and listens. Rejects when the port is taken, when `people` is no whole number of 1 or more, or when the
 * journal is damaged.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { port, host = '127.0.0.1', dataDir, people = 1000, seed = 1 } = options
  if (!Number.isInteger(people) || people < 1) throw new RangeError('people must be a whole number of 1 or more')
  const journal = openJournal(join(dataDir, 'sandbox.jsonl'))
  const server = createServer(buildApp(journal, { people, seed }))
  server.keepAliveTimeout = 30_000
  try {
    const address = await listen(server, port, host)
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
      port: address.port,
      close: async () => {
        await new Promise((resolve) => {
          server.close(resolve)
          server.closeAllConnections()
        })
        journal.close()
      },
    }
  } catch (error) {
    journal.close()
    throw error
  }
}
