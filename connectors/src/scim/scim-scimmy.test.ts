import { CONFORMANCE_CHECKS } from '@instep/contract/conformance.ts'
import { describe, expect, it } from 'vitest'
import { describeTarget } from '../kit/target-contract.ts'
import { openConformance } from './check-conformance.ts'
import { createScimTarget } from './scim-target.ts'
import { startScimmy } from './testing/scimmy-server.ts'

/** Our client against a SCIM server that others wrote. */
for (const [updateMethod, matchBy] of [
  ['PATCH', 'userName'],
  ['PATCH', 'email'],
  ['PUT', 'externalId'],
])
  describeTarget(`scimmy-routers (${updateMethod}, by ${matchBy})`, async () => {
    const scimmy = await startScimmy()
    const target = createScimTarget({ baseUrl: scimmy.baseUrl, updateMethod, matchBy, listUpdates: 'entry' }, { token: scimmy.token })
    const close = async () => {
      await target.close()
      await scimmy.close()
    }
    return { target, count: () => scimmy.accounts.size, close }
  })

describe('scimmy-routers, tried', () => {
  it('does what SCIM asks for, and tells its attributes', async () => {
    const scimmy = await startScimmy()
    const conformance = openConformance({ baseUrl: scimmy.baseUrl }, { token: scimmy.token })
    const outcomes: Record<string, string> = {}
    const fitting = await conformance.check({
      userName: 'instep-check-1@check.invalid',
      signal: new AbortController().signal,
      made: async () => {},
      report: async ({ check, outcome, detail }) => {
        outcomes[check] = `${outcome} ${detail ?? ''}`.trim()
      },
    })
    const discovered = await conformance.discover()
    await conformance.close()
    await scimmy.close()
    const doesNot = Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith('yes'))
    // of one account there are no two pages; groups were not declared to it, and it tells versions that it does not look at
    expect(Object.fromEntries(doesNot)).toEqual({
      paging: 'unknown',
      groups: expect.stringMatching(/^no GET \/Groups: 404/),
      versions: 'no a change for an outdated version is taken',
    })
    expect(Object.keys(outcomes).toSorted()).toEqual(CONFORMANCE_CHECKS.toSorted())
    expect(fitting).toEqual({ profile: 'generic', settings: {} })
    expect(discovered).toMatchObject({ patch: true, filter: true })
    expect(discovered.attributes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['title', 'name.givenName', 'emails[type eq "work"].value']),
    )
    expect(scimmy.accounts.size).toBe(0)
  })
})
