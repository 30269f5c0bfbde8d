import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Target, TargetUser } from '../kit/target.ts'
import { createScimTarget } from './scim-target.ts'
import { type DialectStandIn, startDialectStandIn } from './testing/dialect-stand-in.ts'

const person = (title: string, active = true): TargetUser => ({ active, fields: { externalId: 'E1', workEmail: 'ana@example.com', title } })

describe.each(['PATCH', 'PUT'])('a change of a version (%s)', (updateMethod) => {
  let standIn: DialectStandIn
  let target: Target
  const open = (more: object = {}) => createScimTarget({ baseUrl: standIn.baseUrl, updateMethod, ...more }, { token: 'secret' })
  beforeEach(async () => {
    standIn = await startDialectStandIn({ versions: true })
    target = open()
  })
  afterEach(async () => {
    await target.close()
    await standIn.close()
  })
  /** Somebody else changes the account. */
  const meddle = (remoteId: string) => {
    const account = standIn.accounts.get(remoteId) ?? {}
    standIn.accounts.set(remoteId, { ...account, displayName: 'Meddled', nickName: 'Own', meta: { version: 'W/"other"' } })
  }
  const create = async () => {
    const before = target.documentOf(person('Baker'))
    const { remoteId, etag } = await target.create(before)
    standIn.asked.length = 0
    return { before, remoteId, etag }
  }

  it('takes one request where nobody else has changed the account', async () => {
    const { before, remoteId, etag } = await create()
    const done = await target.update(remoteId, target.documentOf(person('Chef')), { before, etag })
    expect(standIn.asked).toEqual([`${updateMethod} /Users/${remoteId}`])
    expect(done.etag).not.toBe(etag)
  })

  it('reads the account again where it is another version, and changes it from there', async () => {
    const { before, remoteId, etag } = await create()
    meddle(remoteId)
    const wanted = target.documentOf(person('Chef'))
    await target.update(remoteId, wanted, { before, etag })
    expect(standIn.asked).toEqual([`${updateMethod} /Users/${remoteId}`, `GET /Users/${remoteId}`, `${updateMethod} /Users/${remoteId}`])
    expect((await target.find(wanted))?.document).toEqual(wanted)
  })

  it('is read first where nobody knows what is there, and changed only as it was read', async () => {
    const { remoteId } = await create()
    const get = standIn.accounts.get.bind(standIn.accounts)
    let reads = 0
    standIn.accounts.get = (id) => {
      const account = get(id)
      reads += 1
      // somebody else is faster, between the reading and the change
      if (reads === 1) meddle(id)
      return account
    }
    const wanted = target.documentOf(person('Chef'))
    await target.update(remoteId, wanted)
    const [read, write] = [`GET /Users/${remoteId}`, `${updateMethod} /Users/${remoteId}`]
    expect(standIn.asked).toEqual([read, write, read, write])
    expect((await target.find(wanted))?.document).toEqual(wanted)
  })

  it('gives up for now where others go on changing it', async () => {
    const { before, remoteId, etag } = await create()
    const [get] = [standIn.accounts.get.bind(standIn.accounts)]
    let version = 0
    standIn.accounts.get = (id) => {
      const account = get(id)
      version += 1
      return account && { ...account, meta: { version: `W/"v${version}"` } }
    }
    await expect(target.update(remoteId, target.documentOf(person('Chef')), { before, etag })).rejects.toMatchObject({
      code: 'TARGET_UNAVAILABLE',
      retryable: true,
    })
  })

  it('does not keep anybody from being switched off', async () => {
    const { before, remoteId, etag } = await create()
    meddle(remoteId)
    await target.update(remoteId, target.documentOf(person('Baker', false)), { before, etag })
    expect(standIn.accounts.get(remoteId)?.active).toBe(false)
    expect(standIn.asked).toEqual([`${updateMethod} /Users/${remoteId}`])
  })

  it('is not named where it should not be', async () => {
    const { before, remoteId, etag } = await create()
    meddle(remoteId)
    const careless = open({ ifMatch: 'never' })
    await careless.update(remoteId, careless.documentOf(person('Chef')), { before, etag })
    expect(standIn.asked).toEqual([`${updateMethod} /Users/${remoteId}`])
    await careless.close()
  })
})
