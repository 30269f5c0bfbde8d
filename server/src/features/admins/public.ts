/**
 * `loadActor` tells who is behind an identity, `adminRoles` what its tokens say; `createAdmin`, `assignSite` and `assignSiteGroup` make administrators (seeding).
 */
export { assignSite, assignSiteGroup, createAdmin, type NewAdmin } from './admins.store.ts'
export { adminRoles, type Identity, loadActor } from './load-actor.ts'
