import { hash } from 'node:crypto'

/** JSON with members in order of name and without those that are undefined; in one go, because every account of every pass is hashed. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`
  }
  return `{${text}}`
}

/** SHA-256, as 64 hexadecimal digits, of a JSON value with its members in order of name: equal documents have equal hashes, however they were built. */
export const hashDocument = (document: unknown): string => hash('sha256', canonical(document))
