/** `listRuns` gives the dashboard the newest runs of a tenant, and those that are held. */
export { listRuns } from './runs.views.ts'
/** `syncHandler` carries out the runs; `sweepUploads` removes, at start, uploaded bytes that nothing will read again. */
export { syncHandler } from './sync-run.ts'
export { sweepUploads } from './uploads.ts'
