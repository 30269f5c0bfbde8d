import { createHash } from 'node:crypto'

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]))
}

/** SHA-256 (32 bytes) of a JSON value with its members in order of name: equal documents have equal hashes, however they were built. */
export const hashDocument = (document: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(canonical(document)))
    .digest()
