// Fills a demonstration directory: npm run seed -- --users 10000
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
process.exit(
  spawnSync(NODE, [path.join(ROOT, 'server/src/sandbox/seed-people.script.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: environment(),
  }).status ?? 1,
)
