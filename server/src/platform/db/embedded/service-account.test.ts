import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseAccounts, ownAccount } from './service-account.ts'

const isRoot = process.getuid?.() === 0
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'instep-account-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

// who runs the tests decides which half there is to test
if (isRoot)
  describe('chooseAccounts for root', () => {
    it('never runs the database as root: prepares as nobody, runs under a number of its own', () => {
      const { initdb, postgres } = chooseAccounts(dir)
      expect(postgres).toEqual(ownAccount)
      expect(initdb?.uid).not.toBe(0)
      expect(chooseAccounts(join(dir, 'absent')).postgres).toEqual(ownAccount)
    })

    it('runs as the user whose data they are, so that this user can use them again', () => {
      chownSync(dir, 5, 60)
      expect(chooseAccounts(dir).postgres).toEqual({ uid: 5, gid: 60 })
    })
  })
else
  describe('chooseAccounts for a user', () => {
    it('refuses data of another user', () => {
      expect(() => chooseAccounts('/')).toThrow('belongs to user 0')
    })

    it('changes nobody', () => {
      expect(chooseAccounts(dir)).toEqual({})
    })
  })
