/** The rules by which the source of a model test places people: as the product is told them, and what they mean. */
import type { PlacementRule } from '@instep/contract/placement.ts'
import { dayAt, type Placement, type Site, siteOf } from './sites.ts'

export const RULE_SETS = ['none', 'byDepartment', 'byCode', 'newcomers'] as const
export type RuleSet = (typeof RULE_SETS)[number]

/** By which HR calls the sites. */
export const CODES = { North: 'kitchen', South: ' OFFICE' } as const

const placed = (site: Site): Placement => site ?? 'none'

/** As an administrator sets them. */
export const rulesOf = (set: RuleSet, sites: Readonly<Record<'North' | 'South', string>>): PlacementRule[] => {
  const byLocation: PlacementRule = { to: { field: 'locationName', by: 'name' } }
  if (set === 'byDepartment')
    return [
      { when: { field: 'department', operator: 'equals', value: 'Bakery' }, to: { siteId: sites.South } },
      { ...byLocation, when: { field: 'department', operator: 'isNotEmpty' } },
    ]
  if (set === 'byCode') return [{ to: { field: 'department', by: 'code' } }]
  if (set === 'newcomers')
    return [
      { when: { field: 'startDate', operator: 'withinLast', value: { number: 3, scale: 'day' } }, to: { siteId: sites.North } },
      byLocation,
    ]
  return []
}

const byCode = (department: string | null): Site => {
  const code = (department ?? '').trim().toLowerCase()
  if (code === 'kitchen') return 'North'
  return code === 'office' ? 'South' : null
}

const DAY = 24 * 3_600_000

/** Where a source's values put somebody; null: there are no rules. */
export const placedBy = (set: RuleSet, values: Readonly<Record<string, string | null>>, now: number): Placement | null => {
  const { department = null, locationName = null, startDate = null } = values
  if (set === 'none') return null
  if (set === 'byCode') return placed(byCode(department))
  if (set === 'newcomers') {
    const isNew = startDate !== null && startDate <= dayAt(null, now) && startDate >= dayAt(null, now - 3 * DAY)
    return isNew ? 'North' : placed(siteOf(locationName))
  }
  if (department === null) return 'none'
  return department.toLowerCase() === 'bakery' ? 'South' : placed(siteOf(locationName))
}

/** Whether the rules may say something else of the same record tomorrow. */
export const moveWithTime = (set: RuleSet): boolean => set === 'newcomers'
