import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { DEFAULT_GUARDS, type GuardConfig, siteOfGuard } from '@instep/contract/guard-settings.ts'
import type { HeldReason, RunNote } from '@instep/contract/run-findings.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { checkSource, noteSource, type SourceSight } from './check-source.ts'
import { guard } from './guard.ts'
import { guardFigures } from './guard-figures.ts'
import { lastProfile } from './last-profile.ts'
import type { SourceProfile } from './source-profile.ts'
import { isPartial, type SyncInput, type TrialInput } from './sync-input.ts'
import { uploadPath } from './uploads.ts'

/** What was found about a plan: why it waits for a person, gravest first, and what is only noted. */
export interface Findings {
  readonly held: readonly HeldReason[]
  readonly notes: readonly RunNote[]
}

const hashOf = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

/** What is known of the source of a run, beside its people; its connector's last applied run is what it is compared with. */
export const lookAtSource = async (
  { db, dataDir }: { db: Db; dataDir: string },
  given: { tenantId: string; connectorId: string; input: SyncInput | TrialInput; profile: SourceProfile; now: Date; signal: AbortSignal },
): Promise<SourceSight> => {
  const { input, profile, now, signal } = given
  if ('trial' in input)
    return { profile, last: await lastProfile(db, given), manifest: undefined, sha256: undefined, modifiedAt: undefined, now }
  const { manifest, fileId } = input
  const modifiedAt = input.modifiedAt ?? input.fetch?.fetched?.modifiedAt
  return {
    profile,
    // what changed cannot be compared with everybody
    last: isPartial(input) ? null : await lastProfile(db, given),
    manifest,
    sha256: manifest?.sha256 ? await hashOf(uploadPath(dataDir, fileId), signal) : undefined,
    modifiedAt: modifiedAt ? new Date(modifiedAt) : undefined,
    now,
  }
}

/** The guards that are off, each with the name of the site that it was a limit of. */
const offNotes = async (tx: Tx, tenantId: string, { off }: GuardConfig): Promise<RunNote[]> => {
  const siteOf = new Map(off.map(({ guard: name }) => [name, siteOfGuard(name)]))
  const ids = [...siteOf.values()].filter((id) => id !== null)
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{
          id: string
          name: string
        }>`select id, name from sites where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`.execute(tx)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return off.map(({ guard: name, by, reason }) => {
    const site = names.get(siteOf.get(name) ?? '')
    return { code: 'guardOff', params: { guard: name, by, reason, ...(site === undefined ? {} : { site }) } }
  })
}

/** Judges a plan that is in the table, in the transaction that it is written in, by the guards of the run's configuration. */
export const judgePlan = async (
  tx: Tx,
  given: {
    tenantId: string
    connectorId: string
    runId: string
    guards: GuardConfig | undefined
    sight: SourceSight
    lostColumns: string[]
    /** Only what changed was read: no record is no empty source. */
    partial: boolean
  },
): Promise<Findings> => {
  const { tenantId, connectorId, runId, guards: settings = DEFAULT_GUARDS, sight, lostColumns, partial } = given
  const figures = await guardFigures(tx, { tenantId, connectorId, runId, at: sight.now, settings })
  const source = checkSource(sight, settings.source)
  return {
    held: guard({ ...figures, records: partial ? 1 : sight.profile.records, lostColumns, source }, settings),
    notes: [...noteSource(sight), ...(await offNotes(tx, tenantId, settings))],
  }
}
