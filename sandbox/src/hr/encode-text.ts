/** Text as bytes in the encodings that HR systems write. */

export const ENCODINGS = ['utf-8', 'utf-8-bom', 'utf-16le', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const isEncoding = (value: unknown): value is Encoding => ENCODINGS.some((encoding) => encoding === value)

/** Windows-1252 from 0x80 to 0x9F; a question mark where the code page has nothing. */
const HIGH = '€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ'

const CODES = new Map([...HIGH].flatMap((character, index) => (character === '?' ? [] : [[character, 0x80 + index] as const])))

/** The byte of a character; what the code page cannot say becomes a question mark, as real exporters do it. */
const windows1252 = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  return CODES.get(character) ?? 0x3f
}

/** What stands before the first character. */
export const byteOrderMark = (encoding: Encoding): Buffer => {
  if (encoding === 'utf-8-bom') return Buffer.from([0xef, 0xbb, 0xbf])
  if (encoding === 'utf-16le') return Buffer.from([0xff, 0xfe])
  return Buffer.alloc(0)
}

/** The text's bytes, without a byte order mark. */
export const encodeText = (text: string, encoding: Encoding): Buffer => {
  if (encoding === 'windows-1252') return Buffer.from(Array.from(text, windows1252))
  return Buffer.from(text, encoding === 'utf-16le' ? 'utf16le' : 'utf8')
}
