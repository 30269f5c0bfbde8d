import { isAscii, isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import type { ENCODINGS } from '@instep/contract/sync.ts'
import { ConnectorError } from '../kit/problem.ts'

export type Encoding = (typeof ENCODINGS)[number]

const CHUNK = 256 * 1024

/** The file's bytes in order, in pieces that stay valid until the next one is asked for. The signal is looked at before each piece. */
export async function* readChunks(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const file: FileHandle = await open(path, 'r')
  const buffer = Buffer.allocUnsafe(CHUNK)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, CHUNK)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** How many bytes at the end of UTF-8 text belong to a character that is not complete yet. */
const openUtf8Tail = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

/** The same for UTF-16 (little endian): half a unit, or the first half of a pair. */
const openUtf16Tail = (bytes: Buffer): number => {
  const odd = bytes.length % 2
  const high = bytes[bytes.length - odd - 1] ?? 0
  return bytes.length - odd >= 2 && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd
}

/** What Windows-1252 has where Latin-1 has control characters; the five unused places keep theirs. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

interface Decoder {
  readonly openTail: (bytes: Buffer) => number
  readonly decode: (bytes: Buffer) => string
  readonly isValid: (bytes: Buffer) => boolean
}

const littleEndian = (bytes: Buffer): string => bytes.toString('utf16le')
const bigEndian = (bytes: Buffer): string => Buffer.from(bytes).swap16().toString('utf16le')
const wellFormed = (decode: (bytes: Buffer) => string) => (bytes: Buffer) => bytes.length % 2 === 0 && decode(bytes).isWellFormed()
/** The byte that decides stands first in big endian, so the pair is looked at turned round. */
const bigEndianTail = (bytes: Buffer): number => {
  const even = bytes.length - (bytes.length % 2)
  const high = bytes[even - 2] ?? 0
  return even >= 2 && high >= 0xd8 && high <= 0xdb ? (bytes.length % 2) + 2 : bytes.length % 2
}

const DECODERS: Record<Encoding, Decoder> = {
  'utf-8': { openTail: openUtf8Tail, decode: (bytes) => bytes.toString('utf8'), isValid: isUtf8 },
  'utf-16le': { openTail: openUtf16Tail, decode: littleEndian, isValid: wellFormed(littleEndian) },
  'utf-16be': { openTail: bigEndianTail, decode: bigEndian, isValid: wellFormed(bigEndian) },
  'windows-1252': {
    openTail: () => 0,
    decode: (bytes) => bytes.toString('latin1').replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252.charAt(letter.charCodeAt(0) - 0x80)),
    isValid: () => true,
  },
}

/** The pieces cut between characters; what is left at the end is a character that never was completed. */
async function* wholeCharacters(path: string, encoding: Encoding, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const { openTail } = DECODERS[encoding]
  let carried: Buffer = Buffer.alloc(0)
  for await (const chunk of readChunks(path, signal)) {
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk
    const end = bytes.length - openTail(bytes)
    carried = Buffer.from(bytes.subarray(end))
    if (end > 0) yield bytes.subarray(0, end)
  }
  if (carried.length > 0) yield carried
}

const refuse = (encoding: string): ConnectorError => new ConnectorError({ code: 'FILE_ENCODING_UNKNOWN', params: { encoding } })

/** The file's text in pieces, without a byte order mark. Throws FILE_ENCODING_UNKNOWN where the bytes are not text in this encoding. */
export async function* decodeFile(path: string, encoding: Encoding, signal?: AbortSignal): AsyncGenerator<string> {
  const { decode, isValid } = DECODERS[encoding]
  let first = true
  for await (const bytes of wholeCharacters(path, encoding, signal)) {
    if (!isValid(bytes)) throw refuse(encoding)
    const text = decode(bytes)
    yield first && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
    first = false
  }
}

const isValidThroughout = async (path: string, encoding: Encoding): Promise<boolean> => {
  const { isValid } = DECODERS[encoding]
  for await (const bytes of wholeCharacters(path, encoding)) if (!isValid(bytes)) return false
  return true
}

/** Whether a file holds plain letters only, which read the same as UTF-8 and as Windows-1252. Reads as far as the first other one. */
export const isPlainText = async (path: string): Promise<boolean> => {
  for await (const bytes of readChunks(path)) if (!isAscii(bytes)) return false
  return true
}

/** UTF-16 without a mark shows in text of Western languages: every other byte is zero. */
const looksUtf16 = (head: Buffer): Encoding | undefined => {
  const zeros: [even: number, odd: number] = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1
  const [even, odd] = zeros.map((count) => count / (head.length / 2)) as typeof zeros
  if (odd > 0.4 && even < 0.05) return 'utf-16le'
  if (even > 0.4 && odd < 0.05) return 'utf-16be'
  return undefined
}

const byMark = (head: Buffer): Encoding | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) {
    if (head.length >= 4 && head[2] === 0 && head[3] === 0) throw refuse('utf-32')
    return 'utf-16le'
  }
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * The encoding of a whole file: a byte order mark decides, else strict UTF-8 (every byte is looked at, however late a wrong one stands), else
 * Windows-1252. A chosen encoding is only checked. Throws FILE_ENCODING_UNKNOWN when the mark or the choice does not fit the bytes.
 */
export const findEncoding = async (path: string, head: Buffer, chosen?: Encoding): Promise<Encoding> => {
  const expected = chosen ?? byMark(head) ?? looksUtf16(head)
  if (expected) {
    if (!(await isValidThroughout(path, expected))) throw refuse(expected)
    return expected
  }
  if (await isValidThroughout(path, 'utf-8')) return 'utf-8'
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) throw refuse('utf-8')
  return 'windows-1252'
}
