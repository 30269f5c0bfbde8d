/**
 * `createTenant` adds a tenant (seeding); `tenantExists` answers the adapter whether an id in a path is one, `findTenant` how it is now: its time
 * zone, and whether maintenance is under way.
 */
export { createTenant, findTenant, type NewTenant, tenantExists } from './tenants.store.ts'
