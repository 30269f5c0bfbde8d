import type { Condition } from '@instep/contract/conditions.ts'
import { UNASSIGNED_FILTER } from '../../paths.ts'

/** People of no site, and nothing else asked. */
export const UNASSIGNED: Condition = UNASSIGNED_FILTER

/** Whether a list is narrowed to people of no site, alone. */
export const isUnassigned = (filters: Condition | null): boolean => {
  if (filters === null) return false
  if ('all' in filters) return filters.all.length === 1 && isUnassigned(filters.all[0] ?? null)
  return 'field' in filters && filters.field === 'siteId' && filters.operator === 'isEmpty'
}
