import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const MAIN = new URL('./main.ts', import.meta.url).pathname

let dataDir: string
let started: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sandbox-main-'))
})
afterEach(() => {
  for (const child of started) child.kill('SIGKILL')
  started = []
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (...args: string[]) => {
  const child = fork(MAIN, ['--port', '0', '--people', '10', '--data-dir', dataDir, ...args], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
  started.push(child)
  let output = ''
  child.stdout?.on('data', (data) => {
    output += data
  })
  child.stderr?.on('data', (data) => {
    output += data
  })
  return {
    child,
    output: () => output,
    ended: once(child, 'exit'),
    ready: once(child, 'message').then(([message]) => message as { url: string }),
  }
}

describe('the sandbox as a process', () => {
  it('refuses an argument that it cannot use, in one line', async () => {
    for (const args of [
      ['--people', 'many'],
      ['--people', '0'],
      ['--colour', 'blue'],
    ]) {
      const { ended, output } = run(...args)
      expect((await ended)[0]).toBe(1)
      expect(output()).toMatch(/^Sandbox: .+\n$/)
    }
  })

  it('says so when its port is taken', async () => {
    const { url } = await run().ready
    const second = run('--port', new URL(url).port)
    expect((await second.ended)[0]).toBe(1)
    expect(second.output()).toContain('EADDRINUSE')
  })

  it('prints nothing while it works, and stops when told', async () => {
    const { child, ready, output, ended } = run()
    const { url } = await ready
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true })
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    expect(output()).toBe('')
  })

  it('ends when its parent is killed', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([MAIN, '--port', '0', '--people', '10', '--data-dir', dataDir, '--with-parent'])}, { stdio: ['pipe', 'inherit', 'inherit'] })
      child.on('spawn', () => process.stdout.write(String(child.pid)))`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(parent)
    const [data] = (await once(parent.stdout, 'data')) as [Buffer]
    const closed = once(parent.stdout, 'close')
    expect(() => process.kill(Number(data.toString()), 0)).not.toThrow()
    parent.kill('SIGKILL')
    // The sandbox holds the parent's standard output too: it closes when both are gone.
    await closed
  })
})
