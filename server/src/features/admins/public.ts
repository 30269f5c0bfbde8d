/**
 * `loadActor` tells who is behind an identity, `actorLoader` to many at one time, `adminRoles` what its tokens say; `createAdmin`, `assignSite` and `assignSiteGroup` make administrators (seeding); `followIssuer` lets
 * those of the embedded provider sign in at its new address.
 */
export { assignSite, assignSiteGroup, createAdmin, followIssuer, type NewAdmin } from './admins.store.ts'
export { actorLoader, adminRoles, type Identity, loadActor } from './load-actor.ts'
