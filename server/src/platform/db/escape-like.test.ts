import { expect, it } from 'vitest'
import { escapeLike } from './escape-like.ts'

it('LIKE takes every character as itself', () => {
  expect(escapeLike('100%_a\\b')).toBe('100\\%\\_a\\\\b')
})
