import type { SourceFile } from '@instep/contract/sync.ts'
import { problem } from '../../platform/http/problem.ts'
import { findSource } from './connector-config.store.ts'
import { findFile } from './files.store.ts'
import { describeUpload, type Upload } from './open-upload.ts'
import { presentFile } from './present-file.ts'
import type { SyncDeps } from './sync-deps.ts'

interface Wanted extends Pick<Upload, 'encoding' | 'delimiter'> {
  readonly tenantId: string
  readonly connectorId: string
  readonly fileId: string
}

/** A stored upload, read again in the chosen way. Throws NOT_FOUND, FILE_GONE and the problems of a file that cannot be read. */
export const getFile = async ({ db, dataDir }: Pick<SyncDeps, 'db' | 'dataDir'>, wanted: Wanted): Promise<SourceFile> => {
  const file = await findFile(db, wanted)
  if (!file) throw problem('NOT_FOUND')
  if (file.deletedAt) throw problem('FILE_GONE')
  const source = await findSource(db, wanted)
  const { encoding, delimiter } = wanted
  const description = await describeUpload({ dataDir, id: file.id, name: file.name, encoding, delimiter })
  return presentFile(file, description, source?.config.mapping ?? null)
}
