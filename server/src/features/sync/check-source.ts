import type { SourceChecks } from '@instep/contract/guard-settings.ts'
import type { HeldReason, RunNote } from '@instep/contract/run-findings.ts'
import { allowedOf } from './guard.ts'
import { type Ending, filledShare, type SourceProfile } from './source-profile.ts'
import type { SourceManifest } from './sync-input.ts'

/** What is known of a source besides its people. */
export interface SourceSight {
  readonly profile: SourceProfile
  /** Of the connector's last applied run; null: there is none. */
  readonly last: SourceProfile | null
  readonly manifest: SourceManifest | undefined
  /** SHA-256 of the file, in hexadecimal, where the manifest has one. */
  readonly sha256: string | undefined
  /** When the source says that the data was made. */
  readonly modifiedAt: Date | undefined
  readonly now: Date
}

const HOUR = 3_600_000
/** So few cells may be emptied in a column however small the source is. */
const FEW_CELLS = 5
const ENDINGS: readonly Ending[] = ['whole', 'unended', 'cut']

const fewerRows = ({ profile, last }: SourceSight, { fewerRows: limit }: SourceChecks): HeldReason[] => {
  if (!last || !limit.on || profile.records === 0) return []
  const fewer = last.records - profile.records
  if (fewer <= allowedOf(limit, last.records, true)) return []
  const params = { records: profile.records, before: last.records, fewer, percent: Math.round((fewer / last.records) * 100) }
  return [{ code: 'fewerRows', params }]
}

const emptierColumns = ({ profile, last }: SourceSight, { emptierColumn }: SourceChecks): HeldReason[] => {
  if (!last || !emptierColumn.on || profile.records === 0) return []
  const emptier = Object.keys(profile.filled).flatMap((column) => {
    const [before, now] = [filledShare(last, column), filledShare(profile, column)]
    if (before === undefined || now === undefined) return []
    const lost = before - now
    return lost * 100 >= emptierColumn.points && lost * profile.records > FEW_CELLS ? [{ column, before, now, lost }] : []
  })
  const [most] = emptier.toSorted((a, b) => b.lost - a.lost)
  if (!most) return []
  const percent = (share: number) => Math.round(share * 100)
  const columns = emptier.map(({ column }) => column).join(', ')
  return [
    {
      code: 'emptierColumn',
      params: { columns, count: emptier.length, column: most.column, percent: percent(most.now), before: percent(most.before) },
    },
  ]
}

/** Text of plain letters only reads the same in each of these encodings, so that it is no change to or from any. */
const encodingChanged = ({ profile, last }: SourceSight, checks: SourceChecks): HeldReason[] => {
  const [now, before] = [profile.encoding, last?.encoding]
  if (!checks.encodingChanged.on || !now || !before || now === before || now === 'ascii' || before === 'ascii') return []
  return [{ code: 'encodingChanged', params: { encoding: now, before } }]
}

/** The last record lacks cells or its line end; what a source always does is no sign of a cut. */
const cutRecord = ({ profile, last }: SourceSight, checks: SourceChecks): HeldReason[] => {
  if (!checks.cutRecord.on) return []
  const usual = ENDINGS.indexOf(last?.ending ?? 'unended')
  return ENDINGS.indexOf(profile.ending) > usual ? [{ code: 'cutRecord', params: { row: profile.lastRow } }] : []
}

const staleSource = ({ modifiedAt, now }: SourceSight, { staleSource: limit }: SourceChecks): HeldReason[] => {
  if (!modifiedAt || !limit.on) return []
  const hours = (now.getTime() - modifiedAt.getTime()) / HOUR
  return hours > limit.hours ? [{ code: 'staleSource', params: { hours: Math.floor(hours), allowed: limit.hours } }] : []
}

const manifestDiffers = ({ profile, manifest, sha256 }: SourceSight, checks: SourceChecks): HeldReason[] => {
  if (!manifest || !checks.manifestDiffers.on) return []
  if (manifest.rows !== profile.records) return [{ code: 'manifestRows', params: { expected: manifest.rows, records: profile.records } }]
  return manifest.sha256 && manifest.sha256.toLowerCase() !== sha256 ? [{ code: 'manifestHash', params: {} }] : []
}

/** Whether a source looks as it should (decisions.md section 9): the reasons why it does not. Pure. */
export const checkSource = (sight: SourceSight, checks: SourceChecks): HeldReason[] => [
  ...fewerRows(sight, checks),
  ...emptierColumns(sight, checks),
  ...encodingChanged(sight, checks),
  ...cutRecord(sight, checks),
  ...staleSource(sight, checks),
  ...manifestDiffers(sight, checks),
]

/** What is only noted: columns that are new, and columns that stand in another order. */
export const noteSource = ({ profile, last }: Pick<SourceSight, 'profile' | 'last'>): RunNote[] => {
  if (!last) return []
  const known = new Set(last.header)
  const fresh = profile.header.filter((column) => !known.has(column))
  const here = new Set(profile.header)
  const before = last.header.filter((column) => here.has(column))
  const shared = profile.header.filter((column) => known.has(column))
  const moved = shared.filter((column, place) => column !== before[place])
  return [
    ...(fresh.length > 0 ? [{ code: 'newColumns' as const, params: { columns: fresh.join(', '), count: fresh.length } }] : []),
    ...(moved.length > 0 ? [{ code: 'movedColumns' as const, params: { columns: moved.join(', '), count: moved.length } }] : []),
  ]
}
