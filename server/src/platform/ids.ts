import { randomUUID } from 'node:crypto'

const COUNTER_MAX = 0xfff
let lastAt = 0
let counter = 0

/**
 * A UUID version 7 (RFC 9562 section 5.7): 48 bits of milliseconds, a counter within the millisecond (section 6.2, method 1), then random
 * bits, so that ids sort by creation.
 *
 * @param at milliseconds since the epoch; now when left out
 */
export const uuidv7 = (at: number = Date.now()): string => {
  counter = at === lastAt ? Math.min(counter + 1, COUNTER_MAX) : 0
  lastAt = at
  const time = at.toString(16).padStart(12, '0')
  // a random UUID ends in the same variant and 62 random bits, and Node draws the bits of many at once
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`
}

/** Stands for "no tenant" where a row needs one: what happens above the tenants. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'
