import path from 'node:path'
import { defineConfig } from '@playwright/test'
import type { ServerOptions } from './instep.ts'

const results = path.resolve(import.meta.dirname, '../test-results')
const executablePath = process.env['CHROMIUM']
const asRoot = process.getuid?.() === 0

/** Two files of journeys run at a time, one after the other in each: a file has a server with a database and a sandbox to itself, and shares nothing. */
export default defineConfig<object, ServerOptions>({
  testDir: '.',
  globalSetup: './prepare-data.ts',
  testMatch: '*.e2e.ts',
  outputDir: path.join(results, 'e2e'),
  reporter: [['list'], ['json', { outputFile: path.join(results, 'playwright.json') }]],
  workers: 2,
  fullyParallel: false,
  retries: 0,
  // far more than a journey takes: a busy machine is no reason to fail
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    actionTimeout: 30_000,
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
