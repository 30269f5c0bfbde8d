/** `createTenant` adds a tenant (seeding); `tenantExists` answers the adapter whether an id in a path is one. */
export { createTenant, type NewTenant, tenantExists } from './tenants.store.ts'
