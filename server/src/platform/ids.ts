import { randomBytes } from 'node:crypto'

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
  const bytes = randomBytes(16)
  counter = at === lastAt ? Math.min(counter + 1, COUNTER_MAX) : 0
  lastAt = at
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Stands for "no tenant" where a row needs one: what happens above the tenants. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'
