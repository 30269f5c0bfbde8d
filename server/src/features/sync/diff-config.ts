import { isDeepStrictEqual } from 'node:util'
import type { ConfigChange } from '@instep/contract/config-versions.ts'
import type { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { DEFAULT_GRACE } from '@instep/contract/grace-period.ts'
import { DEFAULT_GUARDS, type GuardConfig, guardsByPlace } from '@instep/contract/guard-settings.ts'
import { DEFAULT_MATCHING } from '@instep/contract/matching.ts'
import { DEFAULT_PLACEMENT } from '@instep/contract/placement.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { sameMapping } from './resolve-mapping.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const change = (path: readonly string[], before: unknown, after: unknown): ConfigChange => ({
  path: [...path],
  before: before ?? null,
  after: after ?? null,
})

/** Differences value by value; a list is one value, because its order says something. */
const diffValues = (path: readonly string[], before: unknown, after: unknown): ConfigChange[] => {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return []
  const both = [before, after].filter((value) => value !== undefined && value !== null)
  if (!both.every(isObject)) return [change(path, before, after)]
  const [from, to] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  // a part that is there and empty differs from one that is not
  if (names.length === 0) return [change(path, before, after)]
  return names.flatMap((name) => diffValues([...path, name], from[name], to[name]))
}

const NO_MAPPING: Mapping = { fields: {} }

/** Differences of mappings field by field: what reads the same is none, however it is written. */
const diffMappings = (before: Mapping = NO_MAPPING, after: Mapping = NO_MAPPING): ConfigChange[] => [
  ...userFieldNames.flatMap((field) => {
    const [from, to] = [before.fields[field], after.fields[field]]
    const same = sameMapping({ fields: from ? { [field]: from } : {} }, { fields: to ? { [field]: to } : {} })
    return same ? [] : [change(['mapping', 'fields', field], from, to)]
  }),
  ...(isDeepStrictEqual(before.scope, after.scope) ? [] : [change(['mapping', 'scope'], before.scope, after.scope)]),
]

/** Guards by their places, each with who turned it off and why, where somebody did. */
const guardsSaid = (guard: GuardConfig): Record<string, unknown> => {
  const places: Record<string, object> = guardsByPlace(guard)
  const off = guard.off.map(({ guard: place, by, reason }) => [place, { on: false, ...places[place], by, reason }])
  return { ...places, ...Object.fromEntries(off) }
}

/** Guards one by one, each as a whole. */
const diffGuards = (before: GuardConfig = DEFAULT_GUARDS, after: GuardConfig = DEFAULT_GUARDS): ConfigChange[] => {
  const [from, to] = [guardsSaid(before), guardsSaid(after)]
  const places = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return places.flatMap((place) => (isDeepStrictEqual(from[place], to[place]) ? [] : [change(['guard', place], from[place], to[place])]))
}

/** A configuration with what holds where a part was never set. */
const filled = ({
  matching = DEFAULT_MATCHING,
  placement = DEFAULT_PLACEMENT,
  grace = DEFAULT_GRACE,
  ...rest
}: Omit<ConnectorConfig, 'guard' | 'mapping'>) => {
  const { mappingVersion: _, ...others } = rest
  return { matching, placement, grace, ...others }
}

/**
 * What one configuration says differently from another: the mapping field by field, the guards one by one, every other part value by value. A part that
 * was never set says its defaults. Which version brought the mapping is not of interest. Pure.
 */
export const diffConfigs = (before: ConnectorConfig, after: ConnectorConfig): ConfigChange[] => {
  const { mapping: mappingBefore, guard: guardBefore, ...restBefore } = before
  const { mapping: mappingAfter, guard: guardAfter, ...restAfter } = after
  return [
    ...diffMappings(mappingBefore, mappingAfter),
    ...diffGuards(guardBefore, guardAfter),
    ...diffValues([], filled(restBefore), filled(restAfter)),
  ]
}

/** The parts that differ. */
export const changedParts = (changes: readonly ConfigChange[]): string[] => [...new Set(changes.map(({ path }) => path[0] ?? ''))]
