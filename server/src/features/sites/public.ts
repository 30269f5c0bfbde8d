/** `createSiteGroup` and `createSite` add sites (seeding); `siteIndex` tells the sync which site a name means. */
export { createSite, createSiteGroup, type NewSite, type NewSiteGroup, siteIndex } from './sites.store.ts'
