// The one command that runs Instep: installs what is missing, builds the console when it changed, starts the server.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureConsoleBuilt } from './lib/console-built.mjs'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
ensureConsoleBuilt()

// the server reads settings relative to where the command was given
const server = spawn(NODE, [path.join(ROOT, 'server/src/main.ts'), ...process.argv.slice(2)], { stdio: 'inherit', env: environment() })
// Ctrl-C reaches the server by itself; a signal sent to this process alone is passed on
process.on('SIGINT', () => {})
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
