import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
beforeEach(() => {
  world.at.now = new Date('2026-03-04T10:00:00Z')
})
afterAll(() => world.close())

/** Somebody whose position is overridden until the end of March, version 2; a month later. */
const overridden = async (more: object = {}): Promise<string> => {
  const id = await world.sourced()
  await world.edit(id, { title: 'Head baker', overrideReason: 'Stands in', overrideUntil: '2026-03-31', ...more })
  await world.settle(id)
  world.at.now = new Date('2026-03-20T09:00:00Z')
  return id
}

describe('an override that keeps its value', () => {
  it.each([
    [{ renewedOverrides: ['titel'], overrideReason: 'X' }, { renewedOverrides: ['There is no such field.'] }],
    [{ renewedOverrides: ['title'], overrideUntil: '2026-03-19' }, { overrideUntil: ['This day is over.'] }],
    [{ title: 'Head baker', overrideUntil: '2026-03-19' }, { overrideUntil: ['This day is over.'] }],
  ])('is not renewed by %j', async (body, fields) => {
    const id = await overridden()
    const answer = await world.edit(id, body)
    expect([answer.status, answer.body.fields]).toEqual([400, fields])
    expect((await world.profile(id)).version).toBe(2)
  })

  it.each([
    { title: 'Head baker', overrideUntil: '2026-03-31' },
    { title: 'Head baker', overrideReason: 'Stands in', overrideUntil: '2026-03-31' },
    { title: 'Head baker' },
    { renewedOverrides: ['title'] },
    { renewedOverrides: ['department'], overrideReason: 'Moved' },
    { overrideReason: 'Moved', overrideUntil: null },
    { enterprise: { department: 'Bakery' }, overrideReason: 'Moved' },
  ])('leaves no trace where nothing of it becomes other: %j', async (body) => {
    const id = await overridden()
    const before = await world.profile(id)
    const answer = await world.edit(id, body)
    expect([answer.status, answer.body]).toEqual([200, before])
    expect(await world.eventsOf(id)).toHaveLength(1)
  })

  it.each([
    [
      { title: 'Head baker', overrideUntil: '2026-04-30' },
      { reason: 'Stands in', until: '2026-04-30' },
    ],
    [
      { title: ' Head\n baker ', overrideReason: 'Promoted' },
      { reason: 'Promoted', until: '2026-03-31' },
    ],
    [
      { title: 'Head baker', overrideUntil: null },
      { reason: 'Stands in', until: null },
    ],
    [
      { renewedOverrides: ['title'], overrideReason: '', overrideUntil: '30/04/2026' },
      { reason: null, until: '2026-04-30' },
    ],
  ])('is renewed by %j, says who and when, and owes the targets nothing', async (body, terms) => {
    const id = await overridden()
    const answer = await world.edit(id, body, 'site')
    expect(answer.status).toBe(200)
    expect(answer.body.version).toBe(3)
    expect(answer.body.overridden).toEqual([
      { field: 'title', value: 'Head baker', base: 'Baker', by: 'Sami Site', at: '2026-03-20T09:00:00.000Z', ...terms },
    ])
    expect(await world.accountsOf(id)).toMatchObject([{ state: 'inStep' }])
  })

  it('tells its old and new terms in one event, and ends where the person works', async () => {
    const id = await overridden()
    await world.editIf(id, '"2"', { renewedOverrides: ['title'], overrideReason: 'Stays', overrideUntil: '2026-06-30' })
    expect((await world.eventsOf(id)).slice(1)).toEqual([
      {
        type: 'user.override.renewed',
        data: { version: 3, renewed: 'title' },
        before: { 'title.reason': 'Stands in', 'title.until': '2026-03-31' },
        after: { 'title.reason': 'Stays', 'title.until': '2026-06-30' },
      },
    ])
    const { rows } = await sql<{ until: Date }>`select until from user_overrides where user_id = ${id}`.execute(world.db)
    expect(rows).toEqual([{ until: new Date('2026-06-30T23:00:00Z') }])
  })

  it('is renewed only in the version that the caller has read; whoever comes second is told the new terms', async () => {
    const id = await overridden()
    const body = (until: string) => ({ renewedOverrides: ['title'], overrideUntil: until })
    expect((await world.editIf(id, '"2"', body('2026-05-31'))).etag).toBe('"3"')
    const late = await world.editIf(id, '"2"', body('2026-06-30'))
    expect(late.status).toBe(412)
    expect(late.body.current).toMatchObject({ changes: [{ field: 'title.until', before: '2026-03-31', after: '2026-05-31' }] })
    expect((await world.profile(id)).overridden).toMatchObject([{ until: '2026-05-31' }])
  })

  it('is renewed beside an override that is made, whole references and attributes too, in the same event', async () => {
    const claim = '01890a5d-ac96-774b-bcce-b302099a8057'
    const manager = { value: 'NW@7', referenceType: 'externalId' }
    const id = await overridden({ enterprise: { manager }, extension: { claimFields: { [claim]: '42' } } })
    const { body } = await world.edit(id, {
      enterprise: { manager, department: 'Pastry' },
      extension: { claimFields: { [claim]: '42' } },
      overrideUntil: '2026-04-30',
    })
    expect(Object.fromEntries(body.overridden.map(({ field, until }) => [field, until]))).toEqual({
      title: '2026-03-31',
      manager: '2026-04-30',
      managerReferenceType: '2026-04-30',
      claimFields: '2026-04-30',
      department: '2026-04-30',
    })
    const [, event] = await world.eventsOf(id)
    expect(event).toMatchObject({ type: 'user.updated', data: { overridden: 'department' }, after: { department: 'Pastry' } })
    expect(event?.after).toMatchObject({ 'manager.until': '2026-04-30', 'claimFields.until': '2026-04-30' })
  })

  it('goes back to the source where it is given back and renewed at once', async () => {
    const id = await overridden()
    const { body } = await world.edit(id, { overrides: { title: null }, renewedOverrides: ['title'], overrideReason: 'X' })
    expect([body.title, body.overridden]).toEqual(['Baker', []])
  })
})
