/** `exportHandler` carries out exports; `sweepExports` removes files that have been kept for a day. */
export { sweepExports } from './export-files.ts'
export { EXPORT_RUN } from './export-input.ts'
export { exportHandler } from './export-run.ts'
/** How the server shows any run over a list. */
export { presentListRun } from './list-runs.ts'
