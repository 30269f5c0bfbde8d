/** What other features may use of settings. `readClaimFields` tells the tenant's security attributes. */
export { readClaimFields } from './claim-fields.store.ts'
