import { afterEach, describe, expect, it } from 'vitest'
import type { Target, TargetUser } from '../kit/target.ts'
import { createScimTarget } from './scim-target.ts'
import { type DialectStandIn, startDialectStandIn, type Traits } from './testing/dialect-stand-in.ts'

const person = (number: number): TargetUser => ({ active: true, fields: { externalId: `E${number}`, workEmail: `p${number}@example.com` } })

let standIn: DialectStandIn
let target: Target
let now: Date
const open = async (traits: Traits, properties: object = {}) => {
  now = new Date('2026-03-01T12:00:00Z')
  standIn = await startDialectStandIn({ takesDuplicates: true, ...traits })
  target = createScimTarget({ baseUrl: standIn.baseUrl, beforeCreate: 'look', ...properties }, { token: 'secret' }, { now: () => now })
}
afterEach(async () => {
  await target.close()
  await standIn.close()
})
/** Loads people, eight at a time, as provisioning does; answers who were there already. */
const load = async (numbers: readonly number[]): Promise<number[]> => {
  const there: number[] = []
  for (let at = 0; at < numbers.length; at += 8)
    await Promise.all(
      numbers.slice(at, at + 8).map(async (number) => {
        await target.create(target.documentOf(person(number))).catch((error: { code: string }) => {
          if (error.code !== 'TARGET_EXISTS') throw error
          there.push(number)
        })
      }),
    )
  return there
}
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)
const hold = (number: number) =>
  standIn.accounts.set(`h${number}`, { id: `h${number}`, userName: `P${number}@Example.com`, externalId: `E${number}`, meta: {} })

describe('a target that takes everybody twice', () => {
  it('doubles an account where nobody looks first', async () => {
    await open({}, { beforeCreate: 'create' })
    hold(1)
    expect(await load([1])).toEqual([])
    expect(standIn.accounts.size).toBe(2)
  })

  it.each([
    ['by user name', {}],
    ['by external id', { matchBy: 'externalId' }],
  ])('doubles nobody where they are looked for %s', async (_name, properties) => {
    await open({}, properties)
    for (const number of [3, 70, 290]) hold(number)
    expect(await load(upTo(300))).toEqual([3, 70, 290])
    expect(standIn.accounts.size).toBe(300)
  })

  it('costs a first load few requests more than it has people', async () => {
    await open({})
    await load(upTo(400))
    expect(standIn.asked.filter((request) => request.startsWith('POST'))).toHaveLength(400)
    // fifty look-ups, and the pages of those that were there by then
    expect(standIn.asked.length).toBeLessThanOrEqual(400 + 50 + 2)
  })

  it('knows those it has made itself', async () => {
    await open({})
    await load(upTo(100))
    expect(await load([99])).toEqual([99])
  })

  it('reads the accounts again after ten minutes', async () => {
    await open({})
    await load(upTo(100))
    hold(500)
    now = new Date(now.getTime() + 11 * 60_000)
    expect(await load([500])).toEqual([500])
  })

  it('looks each one up where pages cannot be relied on', async () => {
    await open({ repeatsFirstPage: true })
    for (const number of upTo(250)) hold(number)
    expect(await load([249, ...upTo(80)].slice(0, 80))).toHaveLength(80)
    expect(standIn.accounts.size).toBe(250)
  })
})
