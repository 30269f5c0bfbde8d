import { describeTarget } from '@instep/connectors/kit/target-contract.ts'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { scimWorld } from './testing/scim-world.ts'

/** Our own client against our own server: each is held to what the other takes for SCIM. */
for (const [updateMethod, matchBy] of [
  ['PATCH', 'userName'],
  ['PUT', 'externalId'],
])
  describeTarget(`SCIM in (${updateMethod}, by ${matchBy})`, async () => {
    const world = await scimWorld()
    const connection = await world.connect()
    const target = createScimTarget({ baseUrl: connection.url, updateMethod, matchBy }, { token: connection.token })
    return {
      target,
      count: async () => (await connection.request('GET /Users?count=0')).body.totalResults,
      close: async () => {
        await target.close()
        await world.close()
      },
    }
  })
