/** What other features may use of provisioning. */

/** On a database that only one process uses, at its start: whoever held rows is gone. */
export { releaseAllLeases } from './account.store.ts'
/** Where people's accounts stand: of the people of a run at each target, and of one person at every target. */
export { targetProgress, userTargets } from './account.views.ts'
/** Read-backs: their runs, and those that are due. */
export { DRIFT_RUN, driftHandler } from './drift-run.ts'
export { runDueDrift } from './drift-schedules.ts'
/** The same for groups. */
export { releaseAllGroupLeases } from './groups/group.store.ts'
/** Sites were added, renamed, closed or opened, or people work elsewhere: the groups of sites follow, in the transaction of that change. */
export { followSites, placeInSiteGroups } from './groups/group-per-site.ts'
/** A source keeps its leavers otherwise: no target deletes them before. */
export { followGrace } from './leavers.store.ts'
/** A change of people, or of a target, asks for their accounts to be looked at again; in the transaction of that change. */
export { type Marking, markPending, markTargetPending } from './mark-pending.ts'
/** One person as targets get them, to show what would be sent. */
export { samplePerson } from './sample-person.ts'
/** Runs that bring selected people in step. */
export { SYNC_USERS_RUN, syncUsersHandler } from './sync-users-run.ts'
/** Keeps the figures of targets short. */
export { foldTargetCounts } from './target-counts.ts'
/** What a webhook remembers of its deliveries, and what people are asked to do at a manual target; for whoever makes these targets. */
export { taskBoard } from './tasks/task-board.ts'
export { webhookJournal } from './webhook-journal.ts'
