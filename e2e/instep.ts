import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { DEMONSTRATION_ADMINS, SANDBOX_PASSWORD } from '../server/src/sandbox/sign-ins.ts'
import { type RunningServer, startServer } from './start-server.ts'

export interface ServerOptions {
  identityFlow: 'implicit' | 'code'
}

interface WorkerFixtures {
  /** The server of a file of journeys: the one that runs, or a new one when the worker comes to another file. */
  serverOf: (file: string) => Promise<RunningServer>
}

interface TestFixtures {
  /** The server of this file, which no other file has seen. */
  server: RunningServer
  /** What went wrong in the page without anybody seeing it; each journey ends with none. */
  unseenErrors: string[]
  /** Opens an address as another administrator of the sandbox, in a browser of their own. */
  another: (givenName: string, address?: string) => Promise<Page>
}

// A refused call, by us or by an outside system (502), is answered in words on the page; the browser notes it all the same.
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of (4\d\d|502)/

const noteErrors = (context: BrowserContext, errors: string[]) => {
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED_CALL.test(message.text())) errors.push(message.text())
  })
}

/** The journeys' test: a real server, and a page that starts at it. */
export const test = base.extend<TestFixtures, ServerOptions & WorkerFixtures>({
  identityFlow: ['implicit', { option: true, scope: 'worker' }],
  serverOf: [
    async ({ identityFlow }, use) => {
      let running: { readonly file: string; readonly server: RunningServer } | undefined
      await use(async (file) => {
        if (running?.file !== file) {
          const before = running
          running = undefined
          await before?.server.stop()
          running = { file, server: await startServer(identityFlow) }
        }
        return running.server
      })
      await running?.server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  server: [async ({ serverOf }, use, { file }) => use(await serverOf(file)), { timeout: 180_000 }],
  baseURL: ({ server }, use) => use(server.url),
  unseenErrors: [
    async ({ context }, use) => {
      const errors: string[] = []
      noteErrors(context, errors)
      await use(errors)
      expect(errors, 'errors in the page').toEqual([])
    },
    { auto: true },
  ],
  another: async ({ browser, unseenErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (givenName, address) => {
      const context = await browser.newContext()
      contexts.push(context)
      noteErrors(context, unseenErrors)
      const page = await context.newPage()
      await signInAs(page, givenName, address)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

export { expect }

export const PASSWORD = SANDBOX_PASSWORD

/** One of the sandbox's administrators, by given name. */
export const person = (givenName: string) => {
  const found = DEMONSTRATION_ADMINS.find(({ name }) => name.startsWith(`${givenName} `))
  if (!found) throw new Error(`Nobody in the sandbox is called ${givenName}.`)
  return found
}

/** Fills in the sign-in page that is open. */
export const fillIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens an address of the console as an administrator of the sandbox who is not signed in yet, through the sign-in page. */
export const signInByForm = async (page: Page, givenName: string, address = '/'): Promise<void> => {
  const { email, name } = person(givenName)
  await page.goto(address)
  await fillIn(page, email, PASSWORD)
  await expect(page.getByRole('button', { name: `Profile of ${name}` })).toBeVisible()
}

/** What a tab keeps of a session, by server and administrator; tokens are good for an hour, a file of journeys takes minutes. */
const sessions = new Map<string, Record<string, string>>()

/**
 * Opens an address of the console as an administrator of the sandbox. The first time in a file they sign in through the page; after it a tab begins with
 * what that one kept, because signing in takes longer than most journeys and has journeys of its own.
 */
export const signInAs = async (page: Page, givenName: string, address = '/'): Promise<void> => {
  await page.goto('/readyz')
  const key = `${new URL(page.url()).origin} ${givenName}`
  const kept = sessions.get(key)
  if (!kept) {
    await signInByForm(page, givenName, address)
    sessions.set(key, await page.evaluate(() => ({ ...sessionStorage })))
    return
  }
  await page.evaluate((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
  }, kept)
  await page.goto(address)
  await expect(page.getByRole('button', { name: `Profile of ${person(givenName).name}` })).toBeVisible()
}
