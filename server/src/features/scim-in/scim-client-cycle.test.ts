import { describeTarget } from '@instep/connectors/kit/target-contract.ts'
import { openConformance } from '@instep/connectors/scim/check-conformance.ts'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { expect, it } from 'vitest'
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

it('does everything that a target is tried for, and says so of itself', async () => {
  const world = await scimWorld()
  const { url, token } = await world.connect()
  const conformance = openConformance({ baseUrl: url }, { token })
  const shortcomings: string[] = []
  const fitting = await conformance.check({
    userName: 'instep-check-1@check.invalid',
    signal: new AbortController().signal,
    made: async () => {},
    report: async ({ check, outcome, detail }) => {
      if (outcome !== 'yes') shortcomings.push(`${check}: ${outcome} ${detail ?? ''}`.trim())
    },
  })
  // of one account there are no two pages
  expect({ shortcomings, fitting }).toEqual({ shortcomings: ['paging: unknown'], fitting: { profile: 'generic', settings: {} } })
  expect(await conformance.discover()).toMatchObject({ patch: true, filter: true, bulk: true, etag: true, groups: true })
  await conformance.close()
  await world.close()
})
