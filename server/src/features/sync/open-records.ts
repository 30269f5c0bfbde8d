import { openFile } from '@instep/connectors/file/open-file.ts'
import { isPlainText } from '@instep/connectors/file/text-encoding.ts'
import type { RecordSource, SourceRow } from '@instep/connectors/kit/source.ts'
import pg from 'pg'
import { problem } from '../../platform/http/problem.ts'
import { batches } from './batches.ts'
import type { SourceProfile } from './source-profile.ts'
import { stagedHeader } from './staged.store.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import type { SyncInput, TrialInput } from './sync-input.ts'
import { uploadPath } from './uploads.ts'

/** What a run staged, read again in its order through a cursor of this client. */
const stagedSource = (client: pg.ClientBase, { runId, header }: { runId: string; header: readonly string[] }): RecordSource => ({
  header,
  rows: async function* (signal) {
    const text = `select row_number, raw from staged_records where run_id = ${pg.escapeLiteral(runId)} order by row_number`
    await client.query('begin')
    try {
      for await (const rows of batches<[number: number, cells: string[]]>(client, 'staged', text)) {
        signal?.throwIfAborted()
        yield rows.map(([number, cells]): SourceRow => ({ number, cells }))
      }
    } finally {
      await client.query('rollback')
    }
  },
})

/** Records, and how their text was written; null where that is not known. */
type Records = RecordSource & { readonly encoding: SourceProfile['encoding'] }

const openUpload = async (input: Parameters<typeof openFile>[0]): Promise<Records> => {
  const file = await openFile(input)
  return { ...file, encoding: file.encoding === 'utf-8' && (await isPlainText(input.path)) ? 'ascii' : file.encoding }
}

/**
 * Opens what a run reads: its file, or for a trial what was read last.
 *
 * @param client a connection on which nothing else happens while the records are read
 */
export const openRecords = async (
  { db, dataDir }: SyncRunDeps,
  { tenantId, input, client }: { tenantId: string; input: SyncInput | TrialInput; client: pg.ClientBase },
): Promise<Records> => {
  const name = input.fileName ?? ''
  if (!('trial' in input))
    return openUpload({ path: uploadPath(dataDir, input.fileId), name, encoding: input.encoding, delimiter: input.delimiter })
  const { from } = input
  if ('fileId' in from) return openUpload({ path: uploadPath(dataDir, from.fileId), name, encoding: undefined, delimiter: undefined })
  const header = await stagedHeader(db, { tenantId, runId: from.stagedBy })
  if (!header) throw problem('FILE_GONE')
  return { ...stagedSource(client, { runId: from.stagedBy, header }), encoding: null }
}
