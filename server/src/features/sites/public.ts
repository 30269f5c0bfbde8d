/** `createSiteGroup` and `createSite` add sites (seeding). */
export { createSite, createSiteGroup, type NewSite, type NewSiteGroup } from './sites.store.ts'
