import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesIn, processFacts } from './processes.ts'
import { endSurvivor, isSurvivor } from './survivor.ts'

let dir = ''
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'instep-survivor-')))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe('isSurvivor', () => {
  const postgres = '/cache/bin/postgres -D /srv/data -c listen_addresses='
  it.each([
    ['no process', null, false],
    ['a zombie', { zombie: true, commandLine: '' }, false],
    ['a zombie that ps still names', { zombie: true, commandLine: postgres }, false],
    ['another program that got the number', { zombie: false, commandLine: 'node server.js /srv/data' }, false],
    [
      'the database of a directory whose name starts alike',
      { zombie: false, commandLine: postgres.replace('/srv/data', '/srv/data2') },
      false,
    ],
    ['this directory’s database', { zombie: false, commandLine: postgres }, true],
    ['the same, started by hand', { zombie: false, commandLine: 'postgres -D /srv/data' }, true],
  ])('%s', (_, facts, expected) => {
    expect(isSurvivor(facts, '/srv/data')).toBe(expected)
  })
})

describe('endSurvivor', () => {
  it('spares another program under the number in the pid file, and removes the file', async () => {
    const other = spawn('sleep', ['60'])
    writeFileSync(join(dir, 'postmaster.pid'), `${other.pid}\n${dir}\n`)
    writeFileSync(join(dir, '.s.PGSQL.5432.lock'), `${other.pid}\n`)
    expect(await endSurvivor(dir, dir)).toBeNull()
    expect(readdirSync(dir)).toEqual([])
    expect(other.exitCode ?? other.signalCode).toBeNull()
    other.kill()
  })

  it('waits for the children of a killed database', async () => {
    writeFileSync(join(dir, 'postmaster.pid'), '999999999\n')
    const child = spawn('sleep', ['60'], { cwd: dir })
    await expect.poll(() => processesIn(dir)).toEqual([child.pid])
    const ended = endSurvivor(dir, dir)
    expect(await Promise.race([ended, sleep(100, 'waiting')])).toBe('waiting')
    child.kill()
    await ended
    expect(processesIn(dir)).toEqual([])
  })

  it.each(['', 'no number', '1\n', '-5\n'])('touches no process when the pid file says %o', async (text) => {
    writeFileSync(join(dir, 'postmaster.pid'), text)
    expect(await endSurvivor(dir, dir)).toBeNull()
  })
})

describe('processFacts', () => {
  it('tells a living process from an absent one', () => {
    expect(processFacts(process.pid)?.zombie).toBe(false)
    expect(processFacts(999_999_999)).toBeNull()
  })
})
