// Runs a TypeScript file of the project on the project's own Node: node scripts/run.mjs server/src/openapi.script.ts --check
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
const [file = '', ...rest] = process.argv.slice(2)
process.exit(spawnSync(NODE, [path.join(ROOT, file), ...rest], { cwd: ROOT, stdio: 'inherit', env: environment() }).status ?? 1)
