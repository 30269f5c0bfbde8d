import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A ZIP file that is written from front to back (PKWARE APPNOTE 6.3.10), so that it may be larger than memory. */
export interface ZipWriter {
  /** Adds a file that is there as a whole. */
  add(name: string, content: string): Promise<void>
  /** Begins a file that is written bit by bit; it must be ended before the next begins. */
  open(name: string): Promise<ZipEntry>
  /** Writes the directory; the file is complete. */
  end(): Promise<void>
}

export interface ZipEntry {
  write(text: string): Promise<void>
  end(): Promise<void>
  /** Gives the entry up, and with it the file. */
  abort(): void
}

interface Written {
  readonly name: Buffer
  readonly at: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

/** Sizes are told in 32 bits. */
const MOST_BYTES = 0xffff_ffff
const VERSION = 20
/** Sizes and sum stand behind the content; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980, the first day that a ZIP file knows. */
const DATE = 0x0021

const numbers = (...parts: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer => {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of parts) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

const sums = ({ crc, compressed, size }: Omit<Written, 'name' | 'at'>) =>
  [
    [4, crc],
    [4, compressed],
    [4, size],
  ] as const

const HEAD = [
  [2, VERSION],
  [2, FLAGS],
  [2, DEFLATED],
  [2, 0],
  [2, DATE],
] as const

const localHeader = (name: Buffer): Buffer =>
  Buffer.concat([numbers([4, 0x0403_4b50], ...HEAD, [4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]), name])

const directoryEntry = ({ name, at, ...written }: Written): Buffer =>
  Buffer.concat([
    numbers([4, 0x0201_4b50], [2, VERSION], ...HEAD, ...sums(written), [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
    name,
  ])

/** A ZIP file in `file`, which is ended with it. Throws from any call once the file cannot be written, and for more than 4 GiB. */
export const openZip = (file: Writable): ZipWriter => {
  const entries: Written[] = []
  let position = 0
  const put = async (bytes: Buffer): Promise<void> => {
    // its error is over before anybody could wait for it
    if (file.destroyed) throw file.errored ?? new Error('the file was given up')
    position += bytes.length
    if (position > MOST_BYTES) throw new Error('the file has grown beyond what a ZIP file holds')
    if (!file.write(bytes)) await once(file, 'drain')
  }

  const open = async (entryName: string): Promise<ZipEntry> => {
    const name = Buffer.from(entryName)
    const at = position
    await put(localHeader(name))
    const start = position
    const deflate = createDeflateRaw()
    let [crc, size] = [0, 0]
    const passOn = async () => {
      for await (const chunk of deflate) await put(chunk)
    }
    const passed = passOn()
    // whoever writes or ends next hears of it
    passed.catch(() => undefined)
    return {
      write: async (text) => {
        const bytes = Buffer.from(text)
        crc = crc32(bytes, crc)
        size += bytes.length
        if (size > MOST_BYTES) throw new Error('the file has grown beyond what a ZIP file holds')
        if (!deflate.write(bytes)) await Promise.race([once(deflate, 'drain'), passed])
      },
      end: async () => {
        deflate.end()
        await passed
        const written = { name, at, crc, compressed: position - start, size }
        entries.push(written)
        await put(numbers([4, 0x0807_4b50], ...sums(written)))
      },
      abort: () => deflate.destroy(),
    }
  }

  return {
    open,
    add: async (name, content) => {
      const entry = await open(name)
      await entry.write(content)
      await entry.end()
    },
    end: async () => {
      const directory = Buffer.concat(entries.map(directoryEntry))
      const at = position
      const count = entries.length
      await put(directory)
      await put(numbers([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, at], [2, 0]))
      file.end()
    },
  }
}
