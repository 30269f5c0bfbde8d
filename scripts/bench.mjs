// Hands over to bench/bench.ts on the project's own Node.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureConsoleBuilt } from './lib/console-built.mjs'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
ensureConsoleBuilt()
process.exit(
  spawnSync(NODE, ['--expose-gc', path.join(ROOT, 'bench/bench.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment(),
  }).status ?? 1,
)
