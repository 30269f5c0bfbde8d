// Everything a machine can check without running the product; under a minute.
import { spawn } from 'node:child_process'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()

const tool = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({ command: `node_modules/.bin/${name}`, args })
const script = (/** @type {string} */ file, /** @type {string[]} */ ...args) => ({ command: NODE, args: [file, ...args] })

const CHECKS = {
  'types (server side)': tool('tsc', '-p', 'tsconfig.json'),
  'types (browser side)': tool('tsc', '-p', 'tsconfig.browser.json'),
  'format and lint': tool('biome', 'check', '--error-on-warnings', '.'),
  ceilings: script('scripts/ceilings.mjs'),
  boundaries: script('scripts/boundaries.mjs'),
  'dead code': tool('knip', '--no-progress'),
  'OpenAPI and docs': script('server/src/openapi.script.ts', '--check'),
  'schema types': script('server/src/platform/db/generate-schema.script.ts', '--check'),
  'console size': tool('vite', 'build', 'console', '--outDir', '../node_modules/.cache/console-size', '--emptyOutDir'),
}

const run = (/** @type {{ command: string, args: string[] }} */ { command, args }) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, { cwd: ROOT, env: environment({ NO_COLOR: '1' }) })
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ ok: false, output: String(error) }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })

let failed = 0
const waiting = Object.entries(CHECKS)
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, check] = next
    const started = Date.now()
    const { ok, output } = /** @type {{ ok: boolean, output: string }} */ (await run(check))
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(24)} ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
    if (!ok) process.stdout.write(`${output.trim()}\n`)
    else if (name === 'console size') process.stdout.write(`       ${output.match(/first load.*/)?.[0]}\n`)
    if (!ok) failed++
  }
}
await Promise.all([worker(), worker()])
process.exit(failed ? 1 : 0)
