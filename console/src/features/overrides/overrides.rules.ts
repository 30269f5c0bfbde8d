/** Which overrides the page is about, and which are selected. Pure. */
import type { Override, OverrideFilter } from '@instep/contract/overrides.ts'

/** Ages that the filter offers, in days. */
export const AGES = [30, 90, 180, 365] as const

/** The most that one call takes by name. */
export const MOST_NAMED = 1000

/** The filter as the address holds it. */
export const filterOf = (
  search: Readonly<Record<string, string | undefined>>,
  siteId: string | null,
): Pick<OverrideFilter, 'field' | 'olderThanDays' | 'siteId'> => {
  const age = AGES.find((days) => String(days) === search['age'])
  return {
    ...(search['field'] ? { field: search['field'] } : {}),
    ...(age === undefined ? {} : { olderThanDays: age }),
    ...(siteId === null ? {} : { siteId }),
  }
}

/** One override of one person. A field's name holds no blank. */
export const keyOf = ({ userId, field }: Pick<Override, 'userId' | 'field'>): string => `${userId} ${field}`

/** What selected keys stand for. */
export const namedBy = (keys: Iterable<string>): { userId: string; field: string }[] =>
  [...keys].map((key) => {
    const [userId = '', field = ''] = key.split(' ')
    return { userId, field }
  })
