/**
 * `serveScim` answers the systems that push, and calls `onPushed` when something has changed; `scimInSource` is what they have pushed, for the sync
 * to fetch.
 */
export { scimInSource } from './scim-in-source.ts'
export { serveScim } from './serve-scim.ts'
