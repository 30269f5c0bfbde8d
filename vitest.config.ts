import { defineConfig } from 'vitest/config'

// on a server of somebody else's only what asks that server is run: the rest needs none, or brings the embedded one
const onGivenServer = process.env['TEST_DATABASE_URL'] !== undefined

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: onGivenServer ? ['server/**/*.test.ts'] : ['{contract,connectors,server,sandbox,console,ui,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', 'e2e/**', ...(onGivenServer ? ['server/src/platform/db/embedded/**'] : [])],
    globalSetup: ['server/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
