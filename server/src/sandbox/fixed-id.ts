import { createHash } from 'node:crypto'

/** An id that is the same on every machine (RFC 9562 section 5.8, version 8), so that links into the sandbox stay good. */
export const fixedId = (name: string): string => {
  const bytes = createHash('sha256').update(`instep sandbox ${name}`).digest().subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
