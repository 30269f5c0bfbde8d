import { inflateRawSync } from 'node:zlib'
import { ConnectorError } from '../kit/problem.ts'
import { notTabular } from './sniff-format.ts'

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly offset: number
}

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const LONGEST_COMMENT = 0xffff

const broken = (detail: string): ConnectorError => new ConnectorError({ code: 'FILE_XLSX_BROKEN', detail })

const findEnd = (zip: Buffer): number => {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - LONGEST_COMMENT); at -= 1) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at
  }
  throw broken('no end of central directory')
}

const readEntries = (zip: Buffer): Entry[] => {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw broken('central directory cut short')
    const nameLength = zip.readUInt16LE(at + 28)
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      unpacked: zip.readUInt32LE(at + 24),
      offset: zip.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

const KINDS: readonly (readonly [string, string])[] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/workbook.bin', 'xlsb'],
  ['content.xml', 'ods'],
]

const checkKind = (entries: readonly Entry[]): void => {
  if (entries.some((entry) => entry.name === 'xl/workbook.xml')) return
  const kind = KINDS.find(([prefix]) => entries.some((entry) => entry.name.startsWith(prefix)))
  throw notTabular(kind?.[1] ?? 'archive')
}

/** An entry, really unpacked: what the directory says of its size may be a lie. */
const unpack = (zip: Buffer, entry: Entry, budget: number): Buffer => {
  if (zip.readUInt32LE(entry.offset) !== LOCAL_ENTRY) throw broken('local entry missing')
  const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28)
  const data = zip.subarray(start, start + entry.packed)
  if (data.length < entry.packed) throw broken('entry cut short')
  if (entry.method === 0) return data
  if (entry.method !== 8) throw broken(`compression method ${entry.method}`)
  return inflateRawSync(data, { maxOutputLength: Math.max(1, budget) })
}

const tooLarge = (bytes: number): ConnectorError =>
  new ConnectorError({ code: 'FILE_XLSX_TOO_LARGE', params: { megabytes: Math.round(bytes / 1_000_000) } })

/** The text of a part of a workbook; undefined where it has none of this name. */
export type ReadPart = (name: string) => string | undefined

/**
 * Checks that a zip container is a workbook whose parts, really unpacked, stay within `limit` bytes together; answers what reads a part.
 * Throws FILE_NOT_TABULAR, FILE_XLSX_TOO_LARGE, FILE_XLSX_BROKEN.
 */
export const inspectZip = (zip: Buffer, limit: number): ReadPart => {
  try {
    const entries = readEntries(zip)
    checkKind(entries)
    if (entries.reduce((sum, entry) => sum + entry.unpacked, 0) > limit) throw tooLarge(limit)
    let budget = limit
    for (const entry of entries) {
      budget -= unpack(zip, entry, budget).length
      if (budget < 0) throw tooLarge(limit)
    }
    return (name) => {
      const entry = entries.find((one) => one.name === name)
      return entry && unpack(zip, entry, limit).toString('utf8')
    }
  } catch (error) {
    if (error instanceof ConnectorError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit)
    throw broken((error as Error).message)
  }
}
