import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConnectorError } from './problem.ts'

interface Saving {
  readonly path: string
  /** In bytes; one more is refused with FILE_TOO_LARGE. */
  readonly limit: number
  readonly signal: AbortSignal
  /** How long the source may say nothing, in milliseconds. Default 60,000. */
  readonly stallMilliseconds?: number
}

/** FILE_TOO_LARGE for a limit in bytes. */
export const tooLarge = (limit: number): ConnectorError => new ConnectorError({ code: 'FILE_TOO_LARGE', params: { limit } })

const cut = (cause: unknown): ConnectorError =>
  new ConnectorError({ code: 'SOURCE_CUT', retryable: true, detail: 'the connection ended early', cause })

/**
 * Writes what a source sends to a new file that only this process's user may read; answers its size and SHA-256. Whatever goes wrong, the file is
 * gone. Throws FILE_TOO_LARGE, SOURCE_CUT, and the signal's reason.
 */
export const saveStream = async (stream: Readable, { path, limit, signal, stallMilliseconds = 60_000 }: Saving) => {
  const hash = createHash('sha256')
  let size = 0
  let stalled: NodeJS.Timeout | undefined
  const watch = (): void => {
    clearTimeout(stalled)
    stalled = setTimeout(() => stream.destroy(new Error('nothing came for too long')), stallMilliseconds)
  }
  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    watch()
    for await (const chunk of chunks) {
      watch()
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(stream, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal })
    return { size, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(path, { force: true })
    signal.throwIfAborted()
    throw error instanceof ConnectorError || (error as NodeJS.ErrnoException).syscall === 'open' ? error : cut(error)
  } finally {
    clearTimeout(stalled)
  }
}
