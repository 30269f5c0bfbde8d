import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testsOnDatabase } from './scripts/lib/tests-on-database.mjs'

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

const common = {
  exclude: ['**/node_modules/**', '**/dist/**', 'e2e/**'],
  // a process keeps the modules that it has loaded for the files that follow: loading the server takes longer than most files; each has a database of its own
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** What runs on Node; the rest is what runs in a browser. */
const onNode = {
  test: {
    ...common,
    name: 'node',
    include: onGivenServer ? testsOnDatabase() : ['{contract,connectors,server,sandbox,scripts,bench}/**/*.test.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
  },
}

const inBrowser = {
  oxc: { jsx: { runtime: 'automatic' as const } },
  test: { ...common, name: 'browser', include: ['{console,ui}/**/*.test.{ts,tsx}'] },
}

export default defineConfig({
  test: {
    projects: onGivenServer ? [onNode] : [onNode, inBrowser],
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    maxWorkers: 2,
  },
})
