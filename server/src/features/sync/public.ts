/** `syncRecord` and `syncRecords` are the part of a sync by hand that reads what the source says of people, and brings it in. */

/** `actOnDates` is the pass that lets start and end dates act; `listDateHolds` tells the dashboard where it waits for an administrator. */
export { actOnDates } from './act-on-dates.ts'
export { listDateHolds, presentDateHold } from './date-holds.ts'
/** `listRuns` gives the dashboard the newest runs of a tenant, and those that are held. */

export { hastenSchedule } from './hasten-schedule.ts'
/** `hastenSchedule` is for sources that are pushed to; `runDueSchedules` and `tellSilence` are to be called each minute; `sourcesInTrouble` gives the dashboard what somebody should look at. */
export { runDueSchedules, tellSilence } from './run-schedules.ts'
export { listRuns } from './runs.views.ts'
export { sourcesInTrouble } from './sources.views.ts'
/** `syncHandler` carries out the runs; `sweepUploads` removes, at start, uploaded bytes that nothing will read again. */
export { type AskedSync, type AskedSyncs, syncRecord, syncRecords } from './sync-records.ts'
export { syncHandler } from './sync-run.ts'
export { sweepUploads } from './uploads.ts'
