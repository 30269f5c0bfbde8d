/** A sandbox of a test: a free port, a directory of its own, few people, and a way to start it again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '../start-sandbox.ts'
import { COMPANIES, type CompanySlug } from '../world.ts'

export interface TestSandbox {
  url(): string
  readonly dataDir: string
  /** Closes and opens the same world again; the port may change. */
  restart(): Promise<void>
  /** Calls SCIM with the company's token unless headers say otherwise. */
  scim(call: ScimCall): Promise<ScimAnswer>
  close(): Promise<void>
}

export interface ScimCall {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly company?: CompanySlug
  readonly headers?: Readonly<Record<string, string>>
}

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
  readonly body: any
}

const tokenOf = (slug: CompanySlug): string => COMPANIES.find((company) => company.slug === slug)?.token ?? ''

export const sandboxForTests = async (options: Partial<SandboxOptions> = {}): Promise<TestSandbox> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const start = () => startSandbox({ port: 0, dataDir, people: 200, ...options })
  let sandbox: Sandbox = await start()
  return {
    url: () => sandbox.url,
    dataDir,
    restart: async () => {
      await sandbox.close()
      sandbox = await start()
    },
    scim: async ({ method = 'GET', path, body, company = 'northwind', headers }) => {
      const response = await fetch(`${sandbox.url}/workplace/${company}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${tokenOf(company)}`, 'content-type': 'application/scim+json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    close: async () => {
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
