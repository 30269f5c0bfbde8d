/** What a sync may do to a connector's people without anybody looking, and whom it may never deactivate (decisions.md sections 3 and 9). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/** What is limited: `deactivate` counts everybody who would be deactivated, `leave` those of them who are out of scope and those who are to end later. */
export const GUARD_KINDS = ['create', 'update', 'deactivate', 'leave'] as const
export type GuardKind = (typeof GUARD_KINDS)[number]
export const GUARD_WINDOWS = ['run', 'day'] as const
export type GuardWindow = (typeof GUARD_WINDOWS)[number]

/** So many may pass: the larger of a number of people and a percentage of the active ones. Off: any number passes. */
export const Limit = z.object({
  on: z.boolean(),
  percent: z.number().min(0).max(100),
  number: z.number().int().min(0).max(10_000_000),
})
export type Limit = z.infer<typeof Limit>

/** For one run, and for what a connector's runs have done in 24 hours with what this one would do. */
export const KindLimits = z.object({ run: Limit, day: Limit })
export type KindLimits = z.infer<typeof KindLimits>

/** A limit of one site, or of each site that has none of its own for this kind (`siteId` null). */
export const SiteLimit = KindLimits.extend({ siteId: Id.nullable(), kind: z.enum(GUARD_KINDS) })
export type SiteLimit = z.infer<typeof SiteLimit>

const Check = z.object({ on: z.boolean() })

/** What a source must look like, beside holding anybody at all and every mapped column, which is always asked. */
export const SourceChecks = z.object({
  /** Rows fewer than in the last applied run. */
  fewerRows: Limit,
  /** A mapped column so many percentage points emptier than in the last applied run. */
  emptierColumn: Check.extend({ points: z.number().min(1).max(100) }),
  encodingChanged: Check,
  staleSource: Check.extend({
    hours: z
      .number()
      .min(1)
      .max(24 * 366),
  }),
  cutRecord: Check,
  manifestDiffers: Check,
})
export type SourceChecks = z.infer<typeof SourceChecks>

export const GuardSettings = z.object({
  limits: z.object({ create: KindLimits, update: KindLimits, deactivate: KindLimits, leave: KindLimits }),
  sites: z
    .array(SiteLimit)
    .max(1000)
    .refine((rows) => new Set(rows.map(({ siteId, kind }) => `${siteId} ${kind}`)).size === rows.length),
  source: SourceChecks,
})
export type GuardSettings = z.infer<typeof GuardSettings>

/** A guard that somebody turned off: its place in the settings (`limits.deactivate.day`, `source.cutRecord`), who did it, and why. */
export const GuardOff = z.object({ guard: z.string(), by: z.string(), at: Instant, reason: z.string() })
export type GuardOff = z.infer<typeof GuardOff>

/** The guards as a version of the configuration keeps them. */
export const GuardConfig = GuardSettings.extend({ off: z.array(GuardOff) })
export type GuardConfig = z.infer<typeof GuardConfig>

const standard: KindLimits = { run: { on: true, percent: 10, number: 5 }, day: { on: true, percent: 10, number: 5 } }
const none: KindLimits = { run: { ...standard.run, on: false }, day: { ...standard.day, on: false } }

/** What holds until somebody says otherwise: nobody creates or changes too many, but at most max(5, 10 %) may go (decisions.md section 3). */
export const DEFAULT_GUARDS: GuardConfig = {
  limits: { create: none, update: none, deactivate: standard, leave: standard },
  sites: [],
  source: {
    fewerRows: { on: true, percent: 10, number: 5 },
    emptierColumn: { on: true, points: 20 },
    encodingChanged: { on: true },
    staleSource: { on: true, hours: 26 },
    cutRecord: { on: true },
    manifestDiffers: { on: true },
  },
  off: [],
}

/** Below so many, more than half of the people going is held as well, whatever the number says. */
export const SMALL_POPULATION = 20

/** Every guard by its place in the settings: `limits.create.run`, `sites.each.deactivate.day`, `source.cutRecord`. */
export const guardsByPlace = ({ limits, sites, source }: GuardSettings): Record<string, Limit | SourceChecks[keyof SourceChecks]> => ({
  ...Object.fromEntries(GUARD_KINDS.flatMap((kind) => GUARD_WINDOWS.map((window) => [`limits.${kind}.${window}`, limits[kind][window]]))),
  ...Object.fromEntries(
    sites.flatMap((site) => GUARD_WINDOWS.map((window) => [`sites.${site.siteId ?? 'each'}.${site.kind}.${window}`, site[window]])),
  ),
  ...Object.fromEntries(Object.entries(source).map(([check, value]) => [`source.${check}`, value])),
})

const guardsOn = (settings: GuardSettings): string[] =>
  Object.entries(guardsByPlace(settings)).flatMap(([place, { on }]) => (on ? [place] : []))

/** The id of the site whose limit a guard's place names; null where it is no limit of one site. */
export const siteOfGuard = (guard: string): string | null => {
  const [part, site = 'each'] = guard.split('.')
  return part === 'sites' && site !== 'each' ? site : null
}

/** The guards that are on before and not after: off, or of a site and gone. They ask for a reason. */
export const guardsTurnedOff = (before: GuardSettings, after: GuardSettings): string[] => {
  const still = new Set(guardsOn(after))
  return guardsOn(before).filter((guard) => !still.has(guard))
}

/**
 * What is known of the guards that are not on after a change: those that were turned off before, or went with a site's limit, keep who and why; the
 * new ones get what is given of each.
 */
export const guardsLeftOff = (before: GuardConfig, after: GuardSettings, given: (guard: string) => Omit<GuardOff, 'guard'>): GuardOff[] => {
  const on = new Set(guardsOn(after))
  const known = before.off.filter(({ guard }) => !on.has(guard))
  return [...known, ...guardsTurnedOff(before, after).map((guard) => ({ guard, ...given(guard) }))]
}

/** Why a guard is turned off. */
export const GuardReason = upTo(1000, z.string().trim()).refine((text) => text.isWellFormed() && !text.includes('\0'))

const params = z.object({ connectorId: Id })
const reading = { who: { roles: TENANT_ADMINS }, within: 'connector', params } as const
const editing = { who: { roles: TENANT_ADMINS, bit: 'editSettings' }, within: 'connector', params } as const

export const Guards = z.object({
  settings: GuardConfig,
  defaults: GuardSettings,
  /** Active people of the connector, whom the percentages are of. */
  active: z.number().int(),
  /** The version of the configuration that they come from; null while the defaults hold. */
  version: z.number().int().nullable(),
})
export type Guards = z.infer<typeof Guards>

export const getGuards = endpoint({
  ...reading,
  id: 'guards.get',
  method: 'GET',
  path: '/connectors/{connectorId}/guards',
  summary: 'What a sync of this source may do without anybody looking, and the defaults.',
  response: Guards,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const updateGuards = endpoint({
  ...editing,
  id: 'guards.update',
  method: 'PUT',
  path: '/connectors/{connectorId}/guards',
  summary: 'Changes the guards, as a new version of the configuration. Turning one off needs a reason.',
  body: z.object({ settings: GuardSettings, reason: GuardReason.optional() }),
  response: Guards,
  problems: ['CONNECTOR_KIND_WRONG', 'GUARD_REASON_REQUIRED', 'MAINTENANCE'],
})

/** Why a sync never deactivates somebody. */
export const PROTECTIONS = ['vip', 'admin', 'listed'] as const

export const ProtectedPerson = z.object({
  userId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  reason: z.string(),
  by: z.string(),
  at: Instant,
})
export type ProtectedPerson = z.infer<typeof ProtectedPerson>

export const listProtectedPeople = endpoint({
  ...reading,
  id: 'guards.protected',
  method: 'GET',
  path: '/connectors/{connectorId}/protected-people',
  summary: 'People on the connector’s list whom a sync never deactivates, by name; and how many are protected as VIPs or administrators.',
  query: z.object(pageQuery),
  response: page(ProtectedPerson).extend({ total: z.number().int(), vips: z.number().int(), admins: z.number().int() }),
  problems: ['CONNECTOR_KIND_WRONG', 'TOKEN_FOREIGN'],
})

export const protectPerson = endpoint({
  ...editing,
  id: 'guards.protect',
  method: 'PUT',
  path: '/connectors/{connectorId}/protected-people/{userId}',
  summary: 'Puts a person of the connector on its list; whoever is on it keeps the place and gets the new reason.',
  params: z.object({ connectorId: Id, userId: Id }),
  body: z.object({ reason: GuardReason.min(1) }),
  response: ProtectedPerson,
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})

export const unprotectPerson = endpoint({
  ...editing,
  id: 'guards.unprotect',
  method: 'POST',
  path: '/connectors/{connectorId}/protected-people/{userId}/removal',
  summary: 'Takes a person off the list.',
  params: z.object({ connectorId: Id, userId: Id }),
  body: z.object({ reason: GuardReason.min(1) }),
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})
