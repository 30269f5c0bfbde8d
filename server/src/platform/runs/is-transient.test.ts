import { describe, expect, it } from 'vitest'
import { isTransient } from './is-transient.ts'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('work is done again after', () => {
  it.each([
    ['a connection that broke', error('x', { code: '08006' })],
    ['a server that was told to stop', error('x', { code: '57P01' })],
    ['a deadlock', error('x', { code: '40P01' })],
    ['too many connections', error('x', { code: '53300' })],
    ['a refused connection', error('x', { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['a socket that is not there yet', error('x', { code: 'ENOENT', syscall: 'connect' })],
    ['a connection that ended in the middle of a query', error('Connection terminated unexpectedly')],
  ])('%s', (_, given) => {
    expect(isTransient(given)).toBe(true)
  })
})

describe('work has failed after', () => {
  it.each([
    ['a violated constraint', error('x', { code: '23505' })],
    ['a mistake in a statement', error('x', { code: '42601' })],
    ['a file that is not there', error('x', { code: 'ENOENT', syscall: 'open' })],
    ['a bug', new TypeError('undefined is not a function')],
    ['something that is no error', 'x'],
  ])('%s', (_, given) => {
    expect(isTransient(given)).toBe(false)
  })
})
