import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal } from './journal.ts'

let directory: string
let file: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'))
  file = join(directory, 'deep', 'journal.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const fill = () => {
  const journal = openJournal(file)
  journal.put('users', 'a', { name: 'Zoë' })
  journal.put('users', 'b', { name: 'สมชาย' })
  journal.put('users', 'a', { name: 'Zoë O’Brien' })
  journal.put('groups', 'a', ['b'])
  journal.remove('users', 'b')
  journal.close()
}

const contents = () => {
  const journal = openJournal(file)
  const read = { users: Object.fromEntries(journal.read('users')), groups: Object.fromEntries(journal.read('groups')) }
  journal.close()
  return read
}

describe('a journal', () => {
  it('refuses to open when a line before the last is damaged, and names it', () => {
    fill()
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"Zoë"', '"Zo'))
    expect(() => openJournal(file)).toThrow(/line 1 cannot be read/)
    expect(readFileSync(file, 'utf8')).toContain('"Zo}')
  })

  it('passes over a last line that was cut', () => {
    fill()
    appendFileSync(file, '["users","c",{"na')
    expect(contents()).toEqual({ users: { a: { name: 'Zoë O’Brien' } }, groups: { a: ['b'] } })
    expect(contents().users).toEqual({ a: { name: 'Zoë O’Brien' } })
  })

  it('remembers the last value of each key and forgets what was removed', () => {
    fill()
    expect(contents()).toEqual({ users: { a: { name: 'Zoë O’Brien' } }, groups: { a: ['b'] } })
  })

  it('is empty when it is new', () => {
    expect(contents()).toEqual({ users: {}, groups: {} })
  })

  it('keeps only what is live when opened again', () => {
    fill()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(5)
    contents()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  })
})
