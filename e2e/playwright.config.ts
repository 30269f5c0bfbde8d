import path from 'node:path'
import { defineConfig } from '@playwright/test'
import type { ServerOptions } from './instep.ts'

const results = path.resolve(import.meta.dirname, '../test-results')
const executablePath = process.env['CHROMIUM']
const asRoot = process.getuid?.() === 0

/** The journeys run one after another: each file has a server, a database and a browser of its own, which is enough for two cores. */
export default defineConfig<object, ServerOptions>({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: path.join(results, 'e2e'),
  reporter: [['list'], ['json', { outputFile: path.join(results, 'playwright.json') }]],
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'implicit flow', use: { identityFlow: 'implicit' } },
    { name: 'code flow', testMatch: 'sign-in.e2e.ts', use: { identityFlow: 'code' } },
  ],
})
