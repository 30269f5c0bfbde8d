/**
 * `movePeople` empties a site; `createUsers` and `updateUsers` write people in bulk for the sync; `restoreOverrides` takes back what administrators set on top of the
 * sources; `suggestManagers` finds people to name as managers; `peopleOverview` gives the dashboard its figures within what the caller may see.
 */
export { createUsers, updateUsers } from './bulk-write.ts'
export { movePeople } from './move-people.ts'
export { type PeopleOverview, peopleOverview } from './people-overview.ts'
export { type Restored, type Restoring, restoreOverrides } from './restore-overrides.ts'
export { suggestManagers } from './suggest-managers.ts'
