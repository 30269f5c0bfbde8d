import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passwordProblem } from './password-policy.ts'

describe('the password policy', () => {
  it.each([
    ['', 'short'],
    ['elevenchars', 'short'],
    ['😀'.repeat(11), 'short'],
    ['x'.repeat(129), 'long'],
    ['aaaaaaaaaaaa', 'common'],
    ['abcabcabcabc', 'common'],
    ['123456789012', 'common'],
    ['qwertyuiop12', 'common'],
    ['Password2026!', 'common'],
    ['p@$$w0rd2026', 'common'],
    ['MotDePasse2026', 'common'],
    ['Welcome-2026-!', 'common'],
    ['mnbvcxzlkjhgfdsa', 'common'],
    ['amara.wells1', 'personal'],
  ])('refuses %s as %s', (password, problem) => {
    expect(passwordProblem(password, ['Amara Wells', 'amara.wells@northwind.example'])).toBe(problem)
  })

  it.each([
    'harbour-lantern-42',
    'correct donkey pencil rain',
    'tulipes bleues sous la pluie',
    'ｎｕｍｅｒｉｃ雨と猫と本と傘',
    'x7#kQ9!vLm2p',
  ])('accepts %s', (password) => {
    expect(passwordProblem(password, ['Amara Wells', 'amara@northwind.example'])).toBeUndefined()
  })

  it('asks for no kinds of characters: most random lower-case passwords of sixteen letters are good', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 16, maxLength: 64 })
    fc.assert(
      fc.property(letters, (password) => new Set(password).size < 6 || passwordProblem(password) === undefined),
      { seed: 11, numRuns: 300 },
    )
  })
})
