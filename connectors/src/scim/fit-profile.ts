import type { ConformanceCheck, ConformanceResult, FittingProfile } from '@instep/contract/conformance.ts'
import { DIALECT_IDS, DIALECTS, type Dialect, type DialectSettings } from '@instep/contract/scim-dialects.ts'

interface Found {
  readonly outcomes: ReadonlyMap<ConformanceCheck, ConformanceResult['outcome']>
  /** How accounts could be switched off. */
  readonly switchedWith: string | null
}

const FILTERS = { userName: 'filterUserName', externalId: 'filterExternalId', email: 'filterEmail' } as const

const patchNeeds = (settings: DialectSettings): (readonly [keyof DialectSettings, ConformanceCheck])[] => {
  if (settings.updateMethod !== 'PATCH') return []
  // the other tries of PATCH are written in lower case
  if (settings.operationNames === 'capital') return [['operationNames', 'patchCapitals']]
  const entries = settings.listUpdates === 'entry' ? [['listUpdates', 'patchEntry'] as const] : []
  return [['updateMethod', 'patchReplace'], ['updateMethod', 'patchRemove'], ...entries]
}

/** What a target must do for the settings to work. */
const needs = (settings: DialectSettings): (readonly [keyof DialectSettings, ConformanceCheck])[] => [
  ['matchBy', FILTERS[settings.matchBy]],
  ...(settings.updateMethod === 'PUT' ? [['updateMethod', 'put'] as const] : patchNeeds(settings)),
  ...(settings.beforeCreate === 'create' ? [['beforeCreate', 'duplicates'] as const] : []),
]

const failing = (settings: DialectSettings, { outcomes, switchedWith }: Found): Set<keyof DialectSettings> => {
  const failed = needs(settings).flatMap(([setting, check]) => (outcomes.get(check) === 'no' ? [setting] : []))
  return new Set([...failed, ...(settings.switching === 'patch' && switchedWith === 'PUT' ? ['switching' as const] : [])])
}

/** Another value of a setting that what was found speaks for; undefined where nothing does. */
const alternative = (setting: keyof DialectSettings, { outcomes }: Found): string | undefined => {
  const works = (check: ConformanceCheck) => outcomes.get(check) === 'yes'
  switch (setting) {
    case 'matchBy':
      return (['userName', 'externalId', 'email'] as const).find((key) => works(FILTERS[key]))
    case 'updateMethod':
      if (works('put')) return 'PUT'
      return works('patchReplace') && works('patchRemove') ? 'PATCH' : undefined
    case 'beforeCreate':
      return 'look'
    case 'listUpdates':
      return 'whole'
    case 'operationNames':
      return 'lower'
    case 'switching':
      return 'update'
    default:
      return undefined
  }
}

const agreement = ({ settings, hosts }: Dialect, found: Found, host: string): number =>
  (hosts.includes(host) ? 5 : 0) - 10 * failing(settings, found).size

/** The profile that contradicts least what was found (the first of several, `generic` before all), and what would have to differ from it. Pure. */
export const fitProfile = (results: readonly ConformanceResult[], host: string): FittingProfile => {
  const found: Found = {
    outcomes: new Map(results.map(({ check, outcome }) => [check, outcome])),
    switchedWith: results.find(({ check }) => check === 'deactivate')?.detail ?? null,
  }
  const best = DIALECT_IDS.reduce((left, right) =>
    agreement(DIALECTS[right], found, host) > agreement(DIALECTS[left], found, host) ? right : left,
  )
  const settings = [...failing(DIALECTS[best].settings, found)].flatMap((setting) => {
    const value = alternative(setting, found)
    return value === undefined ? [] : [[setting, value] as const]
  })
  return { profile: best, settings: Object.fromEntries(settings) }
}
