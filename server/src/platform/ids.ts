import { randomBytes } from 'node:crypto'

/**
 * A UUID version 7 (RFC 9562 section 5.7): 48 bits of milliseconds, then random bits, so that ids sort by creation.
 *
 * @param at milliseconds since the epoch; now when left out
 */
export const uuidv7 = (at: number = Date.now()): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Stands for "no tenant" where a row needs one: what happens above the tenants. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'
