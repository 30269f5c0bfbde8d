// Hands over to bench/bench.ts on the project's own Node.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureConsoleBuilt } from './lib/console-built.mjs'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
ensureConsoleBuilt()
const chromium = process.argv[2] === 'console' ? ensureChromium() : undefined
process.exit(
  spawnSync(NODE, ['--expose-gc', path.join(ROOT, 'bench/bench.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment(chromium ? { CHROMIUM: chromium } : {}),
  }).status ?? 1,
)
