import * as contract from '@instep/contract/user-edits.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

describe('two who edit the same person', () => {
  it('at once with the same version: one is told what the other has changed', async () => {
    const id = await world.sourced()
    const answers = await Promise.all(['One', 'Two', 'Three'].map((title) => world.editIf(id, '"1"', { title })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    const lost = answers.find(({ status }) => status === 412)
    const won = answers.find(({ status }) => status === 200)
    expect(lost?.body).toMatchObject({ code: 'USER_CHANGED', params: { name: 'Ada Byron' } })
    const conflict = contract.UserConflict.parse(lost?.body.current)
    expect(conflict.user).toEqual(won?.body)
    expect(conflict.changes).toEqual([
      { field: 'title', before: 'Baker', after: conflict.user.title, by: 'Tadeo Tenant', at: '2026-03-04T10:00:00.000Z' },
    ])
  })

  it('one after the other: every version since is told, locks and marks too', async () => {
    const id = await world.added({ title: 'Baker' })
    const at = { params: { connectorId: world.manual, id } }
    await world.edit(id, { title: 'Cook' })
    await world.app.call('tenant', contract.markVip, { ...at, body: { vip: true } })
    await world.edit(id, { title: 'Chef' }, 'site')
    const { status, body } = await world.editIf(id, '"1", "2"', { title: 'Waiter' })
    expect(status).toBe(412)
    const current = contract.UserConflict.parse(body.current)
    expect(current.user.title).toBe('Chef')
    expect(current.changes).toMatchObject([
      { field: 'vip', before: false, after: true, by: 'Tadeo Tenant' },
      { field: 'title', before: 'Cook', after: 'Chef', by: 'Sami Site' },
    ])
  })

  it.each([
    ['"1"', 200],
    ['W/"1"', 200],
    ['"7", "1"', 200],
    ['*', 200],
    ['"2"', 412],
    ['1', 412],
    ['', 412],
    ['"x"', 412],
  ])('If-Match %s of version 1 answers %i', async (ifMatch, status) => {
    const id = await world.sourced()
    expect((await world.editIf(id, ifMatch, { title: 'X' })).status).toBe(status)
  })

  it('with a version leave an event that says nothing of being unconditional', async () => {
    const id = await world.sourced()
    expect((await world.editIf(id, '"1"', { title: 'X' })).etag).toBe('"2"')
    expect((await world.eventsOf(id))[0]?.data).toEqual({ version: 2, overridden: 'title' })
  })
})
