/**
 * `createUsers` and `updateUsers` write people in bulk for the sync; `peopleOverview` gives the dashboard its figures within what the caller
 * may see.
 */
export { createUsers, updateUsers } from './bulk-write.ts'
export { type PeopleOverview, peopleOverview } from './people-overview.ts'
