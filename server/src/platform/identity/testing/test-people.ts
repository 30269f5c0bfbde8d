import { seedAccount } from '../accounts.ts'
import type { IdentityServer } from './identity-server.ts'

/** A tenant admin who also looks after data protection. */
export const AMARA = { email: 'amara@northwind.example', name: 'Amara Wells', password: 'harbour-lantern-42' }
/** A site admin. */
export const JONAS = { email: 'jonas@northwind.example', name: 'Jonas Meyer', password: 'gravel-orchard-17' }

/** Gives both an account and access; answers their subjects. */
export const seedPeople = async (server: IdentityServer) => {
  const amara = await seedAccount(server.db, AMARA)
  const jonas = await seedAccount(server.db, JONAS)
  server.entries.set(amara.id, { roles: ['admin.tenant', 'admin.gdpr'], disabled: false })
  server.entries.set(jonas.id, { roles: ['admin.site'], disabled: false })
  return { amara: amara.id, jonas: jonas.id }
}
