// Server and sandbox restart on change, the console reloads hot: http://localhost:5173 talks to the server on PORT.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

ensureInstalled()
const port = process.env.PORT ?? '8080'
const consoleUrl = 'http://localhost:5173'
const children = [
  spawn(
    NODE,
    ['--watch', '--watch-path=server', '--watch-path=contract', '--watch-path=connectors', path.join(ROOT, 'server/src/main.ts')],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: environment({ PORT: port, PUBLIC_URL: consoleUrl }),
    },
  ),
  spawn(NODE, [path.join(ROOT, 'node_modules/vite/bin/vite.js'), '--port', '5173', '--strictPort', '--clearScreen', 'false'], {
    cwd: path.join(ROOT, 'console'),
    stdio: 'inherit',
    env: environment({ INSTEP_SERVER: `http://127.0.0.1:${port}` }),
  }),
]
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
