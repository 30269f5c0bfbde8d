import { ConnectorError } from '../kit/problem.ts'

/** Beginnings of files that people pick by mistake. */
const MAGIC: readonly (readonly [string, readonly number[]])[] = [
  ['xls', [0xd0, 0xcf, 0x11, 0xe0]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [0x47, 0x49, 0x46, 0x38]],
  ['archive', [0x1f, 0x8b]],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['archive', [0x52, 0x61, 0x72, 0x21]],
  ['rtf', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
]

const startsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, index) => head[index] === byte)

/** A file that is no table; `looksLike` names what it is instead. */
export const notTabular = (looksLike: string): ConnectorError => new ConnectorError({ code: 'FILE_NOT_TABULAR', params: { looksLike } })

/** Tells a zip container from text by the first bytes, and refuses with FILE_NOT_TABULAR what is known to be neither. */
export const sniffFormat = (head: Buffer): 'zip' | 'text' => {
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06])) return 'zip'
  const known = MAGIC.find(([, bytes]) => startsWith(head, bytes))
  if (known) throw notTabular(known[0])
  return 'text'
}

const isControl = (code: number): boolean => code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 26

/** Refuses decoded text that is markup, JSON or binary, with FILE_NOT_TABULAR. */
export const checkText = (text: string): void => {
  const start = text.trimStart().slice(0, 200).toLowerCase()
  if (/^<(!doctype html|html|head|body|table|meta)\b/.test(start)) throw notTabular('html')
  if (start.startsWith('<?xml') || /^<[a-z][^<>,;\t|]*>/.test(start)) throw notTabular('xml')
  if (/^(\{\s*("|\})|\[\s*[[{"\]])/.test(start)) throw notTabular('json')
  let controls = 0
  for (let index = 0; index < text.length; index += 1) if (isControl(text.charCodeAt(index))) controls += 1
  if (controls >= 4 && controls > text.length * 0.02) throw notTabular('binary')
}
