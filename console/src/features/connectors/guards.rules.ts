import {
  DEFAULT_GUARDS,
  GUARD_KINDS,
  type GuardKind,
  type GuardSettings,
  type GuardWindow,
  type Limit,
} from '@instep/contract/guard-settings.ts'

/** A limit as it is typed. */
export interface TypedLimit {
  on: boolean
  percent: string
  number: string
}
export type TypedWindows = Record<GuardWindow, TypedLimit>
export interface TypedSite extends TypedWindows {
  /** Empty: each site that has no limit of its own. */
  siteId: string
  kind: GuardKind
}
/** Guards as they are typed. */
export interface TypedGuards {
  limits: Record<GuardKind, TypedWindows>
  sites: TypedSite[]
  fewerRows: TypedLimit
  emptierColumn: { on: boolean; points: string }
  staleSource: { on: boolean; hours: string }
  encodingChanged: boolean
  cutRecord: boolean
  manifestDiffers: boolean
}

const typedLimit = ({ on, percent, number }: Limit): TypedLimit => ({ on, percent: String(percent), number: String(number) })
const typedWindows = ({ run, day }: Record<GuardWindow, Limit>): TypedWindows => ({ run: typedLimit(run), day: typedLimit(day) })

export const typedOf = ({ limits, sites, source }: GuardSettings): TypedGuards => ({
  limits: {
    create: typedWindows(limits.create),
    update: typedWindows(limits.update),
    deactivate: typedWindows(limits.deactivate),
    leave: typedWindows(limits.leave),
  },
  sites: sites.map(({ siteId, kind, ...windows }) => ({ siteId: siteId ?? '', kind, ...typedWindows(windows) })),
  fewerRows: typedLimit(source.fewerRows),
  emptierColumn: { on: source.emptierColumn.on, points: String(source.emptierColumn.points) },
  staleSource: { on: source.staleSource.on, hours: String(source.staleSource.hours) },
  encodingChanged: source.encodingChanged.on,
  cutRecord: source.cutRecord.on,
  manifestDiffers: source.manifestDiffers.on,
})

export const newSiteLimit = (kind: GuardKind): TypedSite => ({ siteId: '', kind, ...typedWindows(DEFAULT_GUARDS.limits.deactivate) })

export interface Range {
  min: number
  max: number
  whole?: boolean
}
export const PERCENT: Range = { min: 0, max: 100 }
export const PEOPLE: Range = { min: 0, max: 10_000_000, whole: true }
export const POINTS: Range = { min: 1, max: 100 }
export const HOURS: Range = { min: 1, max: 8784 }

/** A number as it was typed, with a point or a comma; undefined where it is none, or out of range. */
export const readNumber = (text: string, { min, max, whole = false }: Range): number | undefined => {
  if (!/^\d+([.,]\d+)?$/.test(text.trim())) return undefined
  const value = Number(text.trim().replace(',', '.'))
  return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : undefined
}

/** A limit that was typed; undefined where a number cannot be read. */
export const readLimit = ({ on, percent, number }: TypedLimit): Limit | undefined => {
  const [share, people] = [readNumber(percent, PERCENT), readNumber(number, PEOPLE)]
  return share === undefined || people === undefined ? undefined : { on, percent: share, number: people }
}

const readWindows = (typed: TypedWindows): Record<GuardWindow, Limit> | undefined => {
  const [run, day] = [readLimit(typed.run), readLimit(typed.day)]
  return run && day && { run, day }
}

/** Whether two limits are of one site and kind. */
export const hasTwins = ({ sites }: TypedGuards): boolean =>
  new Set(sites.map(({ siteId, kind }) => `${siteId} ${kind}`)).size < sites.length

/** The settings that were typed; undefined where something is not a number in its range, or two limits are of one site and kind. */
export const readGuards = (typed: TypedGuards): GuardSettings | undefined => {
  const limits = GUARD_KINDS.map((kind) => readWindows(typed.limits[kind]))
  const [create, update, deactivate, leave] = limits
  const sites = typed.sites.map(({ siteId, kind, ...windows }) => {
    const read = readWindows(windows)
    return read && { siteId: siteId || null, kind, ...read }
  })
  const fewerRows = readLimit(typed.fewerRows)
  const points = readNumber(typed.emptierColumn.points, POINTS)
  const hours = readNumber(typed.staleSource.hours, HOURS)
  if (!create || !update || !deactivate || !leave || !fewerRows || points === undefined || hours === undefined) return undefined
  if (hasTwins(typed) || sites.includes(undefined)) return undefined
  return {
    limits: { create, update, deactivate, leave },
    sites: sites.flatMap((site) => site ?? []),
    source: {
      fewerRows,
      emptierColumn: { on: typed.emptierColumn.on, points },
      encodingChanged: { on: typed.encodingChanged },
      staleSource: { on: typed.staleSource.on, hours },
      cutRecord: { on: typed.cutRecord },
      manifestDiffers: { on: typed.manifestDiffers },
    },
  }
}

/** How many people a limit lets pass among so many. */
export const passing = ({ percent, number }: Limit, active: number): number => Math.floor(Math.max(number, (active * percent) / 100))
