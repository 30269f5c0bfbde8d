import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// on a server of somebody else's only what asks that server is run: the rest needs none, or brings the embedded one
const onGivenServer = process.env['TEST_DATABASE_URL'] !== undefined

/** The files that take longest, longest first. One that begins last is waited for alone: without figures of earlier runs, vitest begins with large files. */
const LONG = [
  'crash/crash',
  'sync/sync-model',
  'sync/feeds',
  'sync/undo',
  'sync/killed-stages',
  'provisioning/faults',
  'sync/apply-run',
  'provisioning/two-provisioners',
  'sync/match-keys',
]

const longFirst = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return place < 0 ? LONG.length : place
}

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => longFirst(a) - longFirst(b))
  }
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: onGivenServer ? ['server/**/*.test.ts'] : ['{contract,connectors,server,sandbox,console,ui,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', 'e2e/**', ...(onGivenServer ? ['server/src/platform/db/embedded/**'] : [])],
    globalSetup: ['server/src/testing/global-setup.ts'],
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
