/**
 * `movePeople` empties a site; `createUsers` and `updateUsers` write people in bulk for the sync, `claimExternalIds` tells which of them may be added; `restoreOverrides` takes back what administrators set on top of the
 * sources; `suggestManagers` finds people to name as managers; `peopleOverview` gives the dashboard its figures within what the caller may see;
 * `siteNamed` finds the site that a location names, in SQL; `askedPeople`, `everyPerson` and `peopleSelect` read lists; `baseValue` says what a source says of a field; `todayIn` is the
 * day that conditions are measured by; `foldCounts` keeps the counts of lists short. `openReferences` and `countOpenReferences` tell whose manager is not known, `reportingCycles` who reports in
 * a circle, `resolveNewReferences` looks up what nobody has looked at.
 */
export { askedPeople, type ListPlace, todayIn } from './asked-people.ts'
export { baseValue } from './base-value.rules.ts'
export { createUsers, updateUsers } from './bulk-write.ts'
export { siteNamed } from './document-columns.ts'
export { type EveryPersonQuery, everyPerson } from './every-person.ts'
export { claimExternalIds } from './external-ids.ts'
export { foldCounts } from './fold-counts.ts'
export { movePeople } from './move-people.ts'
export { type PeopleOverview, peopleOverview } from './people-overview.ts'
export { countOpenReferences, openReferences, reportingCycles, resolveNewReferences } from './reporting-lines.ts'
export { type Restored, type Restoring, restoreOverrides } from './restore-overrides.ts'
export { suggestManagers } from './suggest-managers.ts'
export type { PeopleFilter } from './users.filter.ts'
export { peopleSelect } from './users.views.ts'
