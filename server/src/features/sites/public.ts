/** `createSiteGroup` and `createSite` add sites (seeding); `emptySiteHandler` carries out the runs that move the people of a closed site. */
export { EMPTY_SITE_RUN, emptySiteHandler } from './empty-site.ts'
export { createSite, createSiteGroup, type NewSite, type NewSiteGroup } from './sites.store.ts'
