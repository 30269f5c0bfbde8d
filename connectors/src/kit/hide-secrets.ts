import { ConnectorError } from './problem.ts'

/** In an address or a body others write these as they are. */
const PLAIN = /[A-Za-z0-9._-]/
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }
/** As HTML has them, in pages that say what is wrong. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** JSON may stand within JSON. */
const ESCAPE = '\\\\{1,3}'

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
const hexOf = (number: number, digits: number): string => anyCase(number.toString(16).padStart(digits, '0'))

/** All ways in which a character may be written: as it is, in JSON (RFC 8259 section 7), in an address, in a form, in HTML. */
const waysOf = (character: string): string => {
  if (PLAIN.test(character)) return quoted(character)
  const units = Array.from({ length: character.length }, (_, index) => `${ESCAPE}u${hexOf(character.charCodeAt(index), 4)}`).join('')
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => `%${hexOf(byte, 2)}`).join('')
  const short = ESCAPES[character]
  const entity = ENTITIES[character]
  const ways = [
    units,
    bytes,
    ...(short === undefined ? [] : [`${ESCAPE}${quoted(short)}`]),
    ...(character === ' ' ? ['\\+'] : []),
    ...(entity === undefined ? [] : [entity]),
    quoted(character),
  ]
  return `(?:${ways.join('|')})`
}

/** Puts `***` in place of secrets. */
export type Hide = (text: string) => string

/** Makes what hides secrets, however they are written. Pure. */
export const createSecretHider = (secrets: readonly string[]): Hide => {
  const known = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length)
  if (known.length === 0) return (text) => text
  const pattern = new RegExp(known.map((secret) => [...secret.toWellFormed()].map(waysOf).join('')).join('|'), 'g')
  return (text) => text.replace(pattern, '***')
}

/** Makes what hides secrets that stay, and a token that changes from time to time. */
export const createTokenHider = (secrets: readonly string[]): ((token: string | undefined) => Hide) => {
  let made = { token: undefined as string | undefined, hide: createSecretHider(secrets) }
  return (token) => {
    if (token !== undefined && token !== made.token) made = { token, hide: createSecretHider([...secrets, token]) }
    return made.hide
  }
}

/** The same error without secrets, wherever the system repeats them. */
export const withoutSecrets = (error: ConnectorError, hide: Hide): ConnectorError => {
  const params = Object.entries(error.params).map(([name, value]) => [name, typeof value === 'string' ? hide(value) : value] as const)
  const detail = hide(error.detail)
  if (detail === error.detail && params.every(([name, value]) => value === error.params[name])) return error
  const { code, retryable, retryAfterSeconds } = error
  return new ConnectorError({
    code,
    params: Object.fromEntries(params),
    retryable,
    detail,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
