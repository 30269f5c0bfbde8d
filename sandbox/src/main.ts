/**
 * The sandbox as a process of its own: `node main.ts --port 8090 --people 1000 --data-dir .instep/sandbox --seed 1 [--host H] [--with-parent]`.
 * Prints errors only. A parent that forks it with a message channel is sent `{ url, port }` when it answers. With `--with-parent` it ends
 * when its standard input does, so that a killed parent leaves no orphan.
 */
import { parseArgs } from 'node:util'
import { startSandbox } from './start-sandbox.ts'

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8090' },
      host: { type: 'string', default: '127.0.0.1' },
      people: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      'data-dir': { type: 'string', default: '.instep/sandbox' },
      'with-parent': { type: 'boolean', default: false },
    },
  })
  const whole = (name: 'port' | 'people' | 'seed'): number => {
    if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} must be a whole number, not "${values[name]}".`)
    return Number(values[name])
  }
  return {
    port: whole('port'),
    people: whole('people'),
    seed: whole('seed'),
    host: values.host,
    dataDir: values['data-dir'],
    withParent: values['with-parent'],
  }
}

const run = async () => {
  const { withParent, ...options } = readOptions()
  const sandbox = await startSandbox(options)
  const stop = () => void sandbox.close().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  if (withParent) process.stdin.once('end', stop).once('error', stop).resume()
  process.send?.({ url: sandbox.url, port: sandbox.port })
}

try {
  await run()
} catch (error) {
  process.stderr.write(`Sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
