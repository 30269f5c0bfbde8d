import { stat } from 'node:fs/promises'
import { describeFile } from '@instep/connectors/file/describe-file.ts'
import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { testSource as testEndpoint } from '@instep/contract/sources.ts'
import type { SourceFile } from '@instep/contract/sync.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { isFetched } from '../connectors/public.ts'
import { asFetchProblem } from './fetch-answers.ts'
import { describeFetched, fetchIntoUpload, withSource } from './fetch-into-upload.ts'
import { insertFile } from './files.store.ts'
import { presentFile } from './present-file.ts'
import { enabledSource } from './source-for-fetch.ts'
import { findHostKey, keepHostKey, placeOfSource, type SourceKey } from './source-states.store.ts'
import type { SyncDeps } from './sync-deps.ts'
import { forgetUpload, removeUpload, uploadPath } from './uploads.ts'

interface Looking extends SourceKey {
  readonly by: EventActor
  readonly correlationId: string
  readonly signal: AbortSignal
}

/** The connector, where it is fetched and may be now. */
const fetchedSource = async ({ db, openSource }: SyncDeps, key: SourceKey) => {
  const source = await enabledSource(db, key)
  if (!(await isFetched(openSource, key))) throw problem('SOURCE_NOT_FETCHED')
  return source
}

/** Remembers the key of a server that somebody was shown and accepted. */
const trust = async ({ db, clock }: SyncDeps, looking: Looking & { name: string }, fingerprint: string): Promise<void> => {
  const { tenantId, connectorId, by, correlationId, name } = looking
  await db.transaction().execute(async (tx) => {
    await enabledSource(tx, looking, true)
    await keepHostKey(tx, looking, { place: await placeOfSource(tx, looking), fingerprint })
    const event = {
      tenantId,
      at: clock.now(),
      stream: 'directory',
      type: 'source.hostKey.kept',
      correlationId,
      actor: by,
      connectorId,
    } as const
    await recordEvents(tx, [{ ...event, data: { name, hostKey: fingerprint } }])
  })
}

const tested = async (source: FetchingSource | undefined, signal: AbortSignal) => {
  if (!source) throw problem('SOURCE_NOT_FETCHED')
  try {
    return await source.test(signal)
  } finally {
    await source.close()
  }
}

/**
 * Connects and says what would be fetched. A server whose key nobody has accepted is shown by it (SOURCE_HOST_KEY_UNKNOWN) before it is told anything;
 * one that is accepted by name is kept. Throws the problems of the endpoint.
 */
export const testSource = async (
  deps: SyncDeps,
  looking: Looking & { hostKey: string | undefined },
): Promise<ResponseOf<typeof testEndpoint>> => {
  const { name } = await fetchedSource(deps, looking)
  const kept = await findHostKey(deps.db, looking)
  try {
    const source = await deps.openSource(looking, { hostKey: looking.hostKey ?? kept })
    const { found, hostKey } = await tested(source, looking.signal)
    if (hostKey && hostKey !== kept) await trust(deps, { ...looking, name }, hostKey)
    return {
      found: found && { name: found.name, size: found.size, modifiedAt: found.modifiedAt?.toISOString() ?? null },
      hostKey: hostKey ?? null,
    }
  } catch (error) {
    throw asFetchProblem(error)
  }
}

/** Fetches what there is now and answers as an upload does. Throws the problems of the endpoint. */
export const sampleSource = async (deps: SyncDeps, looking: Looking): Promise<SourceFile> => {
  const { db, clock, dataDir } = deps
  const { tenantId, connectorId, by, signal } = looking
  const { config } = await fetchedSource(deps, looking)
  const id = uuidv7(clock.now().getTime())
  const row = { tenantId, id, connectorId, name: '', size: 0, format: 'csv', createdAt: clock.now(), createdBy: by } as const
  await db.transaction().execute((tx) => insertFile(tx, row))
  try {
    const fetched = await withSource(deps, looking, (source) =>
      fetchIntoUpload(deps, { ...looking, fileId: id }, { source, watermark: null, signal }),
    )
    if (!fetched) throw problem('SOURCE_NOTHING_FOUND')
    const path = uploadPath(dataDir, id)
    const { size } = await stat(path)
    const description = await describeFile({ path, name: fetched.name })
    const name = fetched.name.slice(0, 255)
    await describeFetched(db, { tenantId, fileId: id, name, size, format: description.format })
    return presentFile({ ...row, name, size }, description, config.mapping ?? null)
  } catch (error) {
    await db.transaction().execute((tx) => forgetUpload(tx, { tenantId, fileId: id, at: clock.now() }))
    await removeUpload(dataDir, id)
    throw asFetchProblem(error)
  }
}
