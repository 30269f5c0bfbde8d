import { describe, expect, test } from 'vitest'
import { afterTicking, EVERYONE, NOBODY, offersEveryone, sizeOf, tickedOf } from './selection.rules.ts'

const rows = [{ id: 'a' }, { id: 'b' }]

describe('a selection', () => {
  test('of everyone ticks what is seen and counts who is not', () => {
    expect(tickedOf(EVERYONE, rows)).toEqual(new Set(['a', 'b']))
    expect(sizeOf(EVERYONE, 48_213)).toBe(48_213)
  })

  test('of everyone leaves out whoever is unticked, until nobody is ticked', () => {
    const but = afterTicking(EVERYONE, new Set(['b']), rows)
    expect([tickedOf(but, rows), sizeOf(but, 100)]).toEqual([new Set(['b']), 99])
    // more rows have come into sight meanwhile
    const more = [...rows, { id: 'c' }]
    expect(tickedOf(but, more)).toEqual(new Set(['b', 'c']))
    expect(afterTicking(but, new Set(['a', 'b', 'c']), more)).toEqual(EVERYONE)
    expect(afterTicking(but, new Set(), more)).toEqual(NOBODY)
  })

  test('by id is as large as its ids, seen or not', () => {
    expect(sizeOf({ ids: new Set(['a', 'z']) }, 48_213)).toBe(2)
    expect(sizeOf(NOBODY, 48_213)).toBe(0)
  })

  test('offers everyone only once all that is seen is selected and there is more', () => {
    const page = { ids: new Set(['a', 'b']) }
    expect(offersEveryone(page, rows, true)).toBe(true)
    expect(offersEveryone(page, rows, false)).toBe(false)
    expect(offersEveryone({ ids: new Set(['a']) }, rows, true)).toBe(false)
    expect(offersEveryone(EVERYONE, rows, true)).toBe(false)
    expect(offersEveryone(NOBODY, [], true)).toBe(false)
  })
})
