// Every test there is: rules and the server on a real database, then the journeys in a real browser.
//   --postgres15   the same server suite on a PostgreSQL 15 started from the machine's own binaries
//   --only-e2e     the browser journeys alone      --no-e2e  without them
//   further words  are file filters of the suites
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureConsoleBuilt } from './lib/console-built.mjs'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'
import { playwrightFailures, vitestFailures } from './lib/test-failures.mjs'

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const filters = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const results = path.join(ROOT, 'test-results')

ensureInstalled()
let passed = 0
let failed = 0
/** @type {string[]} */
const failures = []

const runSuite = (
  /** @type {{ args: string[], report: string, env?: Record<string, string>, count: (report: any) => { passed: number, failed: number }, failures: (report: any) => string[] }} */ suite,
) => {
  const report = path.join(results, suite.report)
  rmSync(report, { force: true })
  const run = spawnSync(NODE, suite.args, { cwd: ROOT, stdio: 'inherit', env: environment(suite.env) })
  const read = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  const counted = read ? suite.count(read) : { passed: 0, failed: 0 }
  failures.push(...(read ? suite.failures(read) : [`${suite.report} was not written: the suite ended before its report`]))
  passed += counted.passed
  // a suite that ended badly without a failed test (a crash, nothing found) is a failure all the same
  failed += run.status === 0 ? counted.failed : Math.max(counted.failed, 1)
}

const serverSuite = (/** @type {Record<string, string>} */ env = {}) =>
  runSuite({
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=test-results/vitest.json',
      ...filters,
    ],
    report: 'vitest.json',
    env,
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests + report.numPendingTests }),
    failures: vitestFailures,
  })

const browserSuite = () => {
  const chromium = ensureChromium()
  runSuite({
    args: ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts', ...filters],
    report: 'playwright.json',
    env: { ...(chromium ? { CHROMIUM: chromium } : {}), PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(results, 'playwright.json') },
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped }),
    failures: playwrightFailures,
  })
}

if (flags.includes('--postgres15')) {
  const { startPostgres15 } = await import('./postgres15.mjs')
  const server = await startPostgres15()
  if (!server) {
    process.stdout.write('PostgreSQL 15 is not installed on this machine: nothing was run on it.\n')
    process.exit(0)
  }
  try {
    serverSuite({ TEST_DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
} else {
  ensureConsoleBuilt()
  if (!flags.includes('--only-e2e')) serverSuite()
  if (!flags.includes('--no-e2e')) browserSuite()
}

// named again at the end: what a suite said of it is thousands of lines above
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed || !passed ? 1 : 0)
