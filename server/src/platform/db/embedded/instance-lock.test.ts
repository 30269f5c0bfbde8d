import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'instep-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Leaves the socket file of a process that was killed while it listened. */
const leaveStaleSocket = () => {
  const code = `require('node:net').createServer().listen(${JSON.stringify(join(dir, 'owner-killed'))}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', code])
  expect(existsSync(join(dir, 'owner-killed'))).toBe(true)
}

describe('takeInstanceLock', () => {
  it('refuses the second instance, and lets it in when the first has let go', async () => {
    const first = await takeInstanceLock(dir, '/srv/data')
    await expect(takeInstanceLock(dir, '/srv/data')).rejects.toThrow('The data directory /srv/data is in use by another running instance.')
    await first.release()
    const second = await takeInstanceLock(dir, '/srv/data')
    await second.release()
  })

  it('takes over from an instance that was killed', async () => {
    leaveStaleSocket()
    const lock = await takeInstanceLock(dir, '/srv/data')
    await lock.release()
  })

  it.each(Array.from({ length: 10 }, (_, round) => [round, round % 2 === 1] as const))(
    'lets one in of many that come together (round %i, a killed one before them: %s)',
    async (_, stale) => {
      if (stale) leaveStaleSocket()
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => takeInstanceLock(dir, '/srv/data')))
      const won = results.filter((result): result is PromiseFulfilledResult<InstanceLock> => result.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]?.value.release()
    },
  )
})
