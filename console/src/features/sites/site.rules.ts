/** What a site's form holds, what is wrong with it, and what of it is sent. Pure. */
import { prefixProblem } from '@instep/contract/id-prefix.ts'
import type { Site } from '@instep/contract/sites.ts'

export interface TypedSite {
  readonly name: string
  /** Empty for none. */
  readonly groupId: string
  readonly employeeIdPrefix: string
  /** What HR calls it; empty for nothing. */
  readonly externalCode: string
  readonly restricted: boolean
  readonly shiftsEnabled: boolean
  readonly timeZone: string
}

export type SiteProblem = 'enter' | 'select' | 'prefixTooLong' | 'prefixCharacters' | 'timeZone'

export const typedNew = (timeZone: string): TypedSite => ({
  name: '',
  groupId: '',
  employeeIdPrefix: '',
  externalCode: '',
  restricted: false,
  shiftsEnabled: false,
  timeZone,
})

export const typedOf = (site: Site): TypedSite => ({
  name: site.name,
  groupId: site.groupId ?? '',
  employeeIdPrefix: site.employeeIdPrefix,
  externalCode: site.externalCode ?? '',
  restricted: site.restricted,
  shiftsEnabled: site.shiftsEnabled,
  timeZone: site.timeZone,
})

const problemOfPrefix = (prefix: string): SiteProblem | undefined => (prefix === '' ? 'enter' : prefixProblem(prefix))

interface Known {
  /** A site that never had a group is not made to choose one. */
  readonly groupRequired: boolean
  readonly isTimeZone: (zone: string) => boolean
}

/** By input what is wrong with it (1-console.md section 5). */
export const problemsOf = (typed: TypedSite, { groupRequired, isTimeZone }: Known): Partial<Record<keyof TypedSite, SiteProblem>> => {
  const prefix = problemOfPrefix(typed.employeeIdPrefix.trim())
  return {
    ...(typed.name.trim() === '' ? { name: 'enter' } : {}),
    ...(groupRequired && typed.groupId === '' ? { groupId: 'select' } : {}),
    ...(prefix ? { employeeIdPrefix: prefix } : {}),
    ...(isTimeZone(typed.timeZone.trim()) ? {} : { timeZone: 'timeZone' }),
  }
}

/** The form as a call takes it. */
export const siteInput = (typed: TypedSite) => ({
  ...typed,
  name: typed.name.trim(),
  groupId: typed.groupId || null,
  employeeIdPrefix: typed.employeeIdPrefix.trim(),
  externalCode: typed.externalCode.trim() || null,
  timeZone: typed.timeZone.trim(),
})

export type SiteInput = ReturnType<typeof siteInput>

/** Only what differs from the site as it was opened. */
export const siteChanges = (typed: TypedSite, before: TypedSite): Partial<SiteInput> => {
  const [now, then] = [siteInput(typed), siteInput(before)]
  return Object.fromEntries(Object.entries(now).filter(([field, value]) => value !== then[field as keyof SiteInput]))
}
