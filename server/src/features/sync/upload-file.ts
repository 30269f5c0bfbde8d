import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SourceFile } from '@instep/contract/sync.ts'
import type { FastifyRequest } from 'fastify'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { insertFile } from './files.store.ts'
import { describeUpload } from './open-upload.ts'
import { presentFile } from './present-file.ts'
import { sizeInWords } from './size-in-words.ts'
import { sourceForRuns } from './source-for-runs.ts'
import type { SyncDeps } from './sync-deps.ts'
import { ensureUploadFolder, removeUpload, uploadPath } from './uploads.ts'

/** What the frame of a multipart body may take besides the file. */
const FRAME_BYTES = 64 * 1024
const LONGEST_NAME = 255

interface Uploading {
  readonly tenantId: string
  readonly connectorId: string
  readonly by: EventActor
  readonly correlationId: string
}

const tooLarge = (limit: number) => problem('FILE_TOO_LARGE', { params: { limit: sizeInWords(limit) } })

/** Counts what passes and refuses what goes over the limit before it reaches the disk. */
const counting = (limit: number): Transform & { size: number } => {
  const stream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        stream.size += chunk.length
        if (stream.size > limit) callback(tooLarge(limit))
        else callback(null, chunk)
      },
    }),
    { size: 0 },
  )
  return stream
}

/** Streams the part `file` to the upload folder; answers its name and size. */
const store = async (
  request: FastifyRequest,
  { path, limit }: { path: string; limit: number },
): Promise<{ name: string; size: number }> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit + FRAME_BYTES) throw tooLarge(limit)
  if (!request.isMultipart()) throw problem('FILE_MISSING')
  // the stream's own limit only cuts, so it stands above ours, which refuses
  const part = await request.file({ limits: { fileSize: limit + FRAME_BYTES, files: 1 } })
  if (part?.fieldname !== 'file' || !part.filename) {
    part?.file.resume()
    throw problem('FILE_MISSING')
  }
  const counted = counting(limit)
  await pipeline(part.file, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  return { name: part.filename.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_NAME), size: counted.size }
}

/**
 * Stores an upload and answers what its first rows tell. What cannot be read is not kept.
 *
 * @throws the problems of the endpoint
 */
export const uploadFile = async (deps: SyncDeps, request: FastifyRequest, uploading: Uploading): Promise<SourceFile> => {
  const { db, clock, dataDir, maxFileBytes } = deps
  const { tenantId, connectorId, by, correlationId } = uploading
  const source = await sourceForRuns(db, uploading)
  if (source.definitionId !== 'file') throw problem('CONNECTOR_KIND_WRONG')
  const id = uuidv7(clock.now().getTime())
  await ensureUploadFolder(dataDir)
  try {
    const { name, size } = await store(request, { path: uploadPath(dataDir, id), limit: maxFileBytes })
    const description = await describeUpload({ dataDir, id, name })
    const file = { tenantId, id, connectorId, name, size, format: description.format, createdAt: clock.now() }
    await db.transaction().execute(async (tx) => {
      await insertFile(tx, { ...file, createdBy: by })
      await recordEvents(tx, [
        {
          tenantId,
          at: file.createdAt,
          stream: 'directory',
          type: 'file.uploaded',
          correlationId,
          actor: by,
          connectorId,
          data: { name, size },
        },
      ])
    })
    return presentFile(file, description, source.config.mapping ?? null)
  } catch (error) {
    await removeUpload(dataDir, id)
    throw error
  }
}
