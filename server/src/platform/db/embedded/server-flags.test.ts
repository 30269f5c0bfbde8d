import { describe, expect, it } from 'vitest'
import { serverFlags } from './server-flags.ts'

const flags = (fast: boolean) => serverFlags({ dataDir: '/d', socketDir: '/s', fast })

describe('serverFlags', () => {
  it('gives nothing of durability up unless it is asked to be fast', () => {
    expect(flags(false).join(' ')).not.toMatch(/fsync|synchronous_commit|full_page_writes|autovacuum/)
    expect(flags(true)).toEqual(expect.arrayContaining(['fsync=off', 'autovacuum=off']))
  })

  it.each([false, true])('listens on the socket only, and needs no shared memory of the machine’s (fast: %s)', (fast) => {
    expect(flags(fast)).toEqual(
      expect.arrayContaining(['listen_addresses=', 'unix_socket_directories=/s', 'dynamic_shared_memory_type=mmap']),
    )
  })
})
