import { describe, expect, it } from 'vitest'
import { uuidv7 } from './ids.ts'

describe('an id', () => {
  it('is a UUID of version 7', () => {
    expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('sorts by creation, within a millisecond too', () => {
    const ids = [...Array.from({ length: 2000 }, () => uuidv7(1_000)), uuidv7(1_001), uuidv7(2_000)]
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
