import { DIALECT_IDS, DIALECTS, type DialectId } from '@instep/contract/scim-dialects.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { TargetUser } from '../kit/target.ts'
import { openConformance } from './check-conformance.ts'
import { createScimTarget } from './scim-target.ts'
import { type DialectStandIn, startDialectStandIn, type Traits } from './testing/dialect-stand-in.ts'

/** How each product behaves, as far as its public pages say so (`scim-dialects.ts` names them). The products themselves were not reached. */
const STAND_INS: Readonly<Record<DialectId, Traits>> = {
  generic: {},
  slack: { deletes: 'switchesOff' },
  entra: { entriesOnly: true, capitalsOnly: true },
  zoom: { patch: 'activeOnly' },
  github: { attributes: DIALECTS.github.attributes ?? [], noFilterPaths: true },
  atlassian: { deletes: 'switchesOff', filters: ['userName', 'externalId'], hidesOff: true },
  workvivo: { required: ['externalId', 'userName', 'emails', 'name'], refusesNull: true },
}

const ana: TargetUser = {
  active: true,
  fields: {
    externalId: 'E1',
    givenName: 'Ana',
    familyName: 'Silva',
    workEmail: 'ana@example.com',
    workPhone: '+33123456789',
    department: 'Bakery',
    title: 'Baker',
  },
}
const changed: TargetUser = {
  ...ana,
  fields: { ...ana.fields, familyName: 'Souza', workPhone: '+33100000000', title: null, personalPhone: '+33600000000' },
}

let standIn: DialectStandIn
afterEach(() => standIn.close())

const openTarget = (profile: string, settings: object = {}) =>
  createScimTarget({ baseUrl: standIn.baseUrl, profile, ...settings }, { token: 'secret' })

describe('each profile', () => {
  it.each(DIALECT_IDS)('%s passes the whole cycle against what behaves like it', async (id) => {
    standIn = await startDialectStandIn(STAND_INS[id])
    const target = openTarget(id)
    const before = target.documentOf(ana)
    const { remoteId, etag } = await target.create(before)
    await expect(target.create(before)).rejects.toMatchObject({ code: 'TARGET_EXISTS' })
    expect((await target.find(before))?.remoteId).toBe(remoteId)

    const after = target.documentOf(changed)
    await target.update(remoteId, after, { before, etag })
    expect((await target.find(after))?.document).toEqual(after)

    const off = target.documentOf({ ...changed, active: false })
    await target.update(remoteId, off, { before: after })
    expect(standIn.accounts.get(remoteId)?.active).toBe(false)
    await target.update(remoteId, after, { before: off })
    expect((await target.find(after))?.document).toEqual(after)
    await target.deactivate(remoteId, { before: after })
    expect(standIn.accounts.get(remoteId)?.active).toBe(false)
    await target.delete(remoteId)
    expect(standIn.accounts.get(remoteId)?.active ?? false).toBe(false)
    await target.close()
  })

  it.each(['entra', 'zoom', 'github'] as const)('%s could not be served as a generic target', async (id) => {
    standIn = await startDialectStandIn(STAND_INS[id])
    const target = openTarget('generic')
    const cycle = async () => {
      const before = target.documentOf(ana)
      const { remoteId } = await target.create(before)
      await target.update(remoteId, target.documentOf(changed), { before })
    }
    await expect(cycle()).rejects.toMatchObject({ code: 'TARGET_REFUSED' })
    await target.close()
  })

  it('names a public page for every difference', () => {
    for (const { id, differences } of Object.values(DIALECTS)) {
      expect(differences.length > 0).toBe(id !== 'generic')
      for (const { source } of differences) expect(new URL(source).protocol).toBe('https:')
    }
  })
})

describe('trying a target', () => {
  const tryIt = async (traits: Traits, properties: object = {}) => {
    standIn = await startDialectStandIn(traits)
    for (const id of ['old-1', 'old-2']) standIn.accounts.set(id, { id, userName: id, externalId: id, meta: { version: id } })
    const conformance = openConformance({ baseUrl: standIn.baseUrl, ...properties }, { token: 'secret' })
    const made: string[] = []
    const outcomes: Record<string, string> = {}
    const fitting = await conformance.check({
      userName: 'instep-check-1@check.invalid',
      signal: new AbortController().signal,
      made: async (remoteId) => void made.push(remoteId),
      report: async ({ check, outcome }) => {
        outcomes[check] = outcome
      },
    })
    const left = await conformance.cleanUp({ userName: 'instep-check-1@check.invalid', remoteIds: made })
    await conformance.close()
    return { fitting, outcomes, made, left }
  }

  it('finds that a good one does everything, and leaves nothing behind', async () => {
    const { fitting, outcomes, made, left } = await tryIt({ versions: true })
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'yes')).toEqual([])
    expect(fitting).toEqual({ profile: 'generic', settings: {} })
    expect(made).toHaveLength(1)
    expect(left).toEqual([])
    expect([...standIn.accounts.keys()]).toEqual(['old-1', 'old-2'])
  })

  it.each([
    ['entra', { profile: 'entra', settings: {} }],
    ['zoom', { profile: 'zoom', settings: {} }],
  ] as const)('tells %s by what it does', async (id, expected) => {
    const { fitting } = await tryIt(STAND_INS[id])
    expect(fitting).toEqual(expected)
  })

  const refusals: [string, { traits: Traits; expected: Record<string, string>; settings: Record<string, string> }][] = [
    ['doubles accounts', { traits: { takesDuplicates: true }, expected: { duplicates: 'no' }, settings: { beforeCreate: 'look' } }],
    [
      'has no PATCH',
      { traits: { patch: 'none' }, expected: { patchReplace: 'no', put: 'yes', deactivate: 'yes' }, settings: { updateMethod: 'PUT' } },
    ],
    [
      'filters by external id only',
      { traits: { filters: ['externalId'] }, expected: { filterUserName: 'no' }, settings: { matchBy: 'externalId' } },
    ],
    [
      'ignores filters',
      { traits: { ignoresFilters: true, takesDuplicates: true }, expected: { duplicates: 'no' }, settings: { beforeCreate: 'look' } },
    ],
    ['tells no version', { traits: {}, expected: { versions: 'no' }, settings: {} }],
    ['minds the case', { traits: { exactCase: true }, expected: { foldsCase: 'no' }, settings: {} }],
    ['has no groups', { traits: { groups: false }, expected: { groups: 'no' }, settings: {} }],
    [
      'hides accounts that are off',
      { traits: { hidesOff: true }, expected: { deactivate: 'yes', foundWhenOff: 'no', reactivate: 'yes' }, settings: {} },
    ],
  ]
  it.each(refusals)('finds one that %s, and cleans up', async (_name, { traits, expected, settings }) => {
    const found = await tryIt(traits)
    expect(found.outcomes).toMatchObject(expected)
    expect(found.fitting).toEqual({ profile: 'generic', settings })
    expect(found.left).toEqual([])
    expect([...standIn.accounts.keys()]).toEqual(['old-1', 'old-2'])
  })

  it('tells what is left where nothing can be removed', async () => {
    const { left, made } = await tryIt({ deletes: 'refused' })
    expect(left).toEqual([{ remoteId: made[0], active: false }])
  })

  it('removes only its own accounts from a target that ignores filters', async () => {
    standIn = await startDialectStandIn({ ignoresFilters: true })
    const target = openTarget('generic')
    await target.create(target.documentOf(ana))
    const conformance = openConformance({ baseUrl: standIn.baseUrl }, { token: 'secret' })
    await conformance.cleanUp({ userName: 'instep-check-1@check.invalid', remoteIds: [] })
    expect(standIn.accounts.size).toBe(1)
    await Promise.all([conformance.close(), target.close()])
  })

  it('ends by its signal, and when nobody answers', async () => {
    standIn = await startDialectStandIn()
    const conformance = openConformance({ baseUrl: standIn.baseUrl }, { token: 'secret' })
    const trial = { userName: 'x@check.invalid', made: async () => {}, report: async () => {} }
    await expect(conformance.check({ ...trial, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'TARGET_ABORTED' })
    expect(standIn.accounts.size).toBe(0)
    await conformance.close()
  })
})
