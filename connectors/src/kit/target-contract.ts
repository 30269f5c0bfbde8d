import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target, TargetUser } from './target.ts'

export interface TargetSubject {
  /** Ready for requests, with no accounts in it. */
  readonly target: Target
  /** The accounts that the outside system holds, active or not. */
  count(): number | Promise<number>
  close(): Promise<void>
  /** False for a target that cannot be asked what it holds; it says so instead. */
  readonly lists?: boolean
}

const person = (number: number, fields: TargetUser['fields'] = {}): TargetUser => ({
  userId: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  active: true,
  fields: {
    externalId: `P${number}`,
    givenName: 'Zoé',
    familyName: `O'Neil "${number}"`,
    workEmail: `zoe.${number}@example.com`,
    ...fields,
  },
})

/** What provisioning relies on. Every target passes it, against its complete stand-in; one subject serves the whole suite. */
export const describeTarget = (name: string, setUp: () => Promise<TargetSubject>): void => {
  describe(`${name} as a target`, () => {
    let subject: TargetSubject
    let target: Target
    beforeAll(async () => {
      subject = await setUp()
      target = subject.target
    })
    afterAll(() => subject.close())

    it('gives the same document for the same person, whatever the order of the fields', () => {
      const { fields, active } = person(1, { title: 'Baker', department: 'Bakery' })
      const reversed = Object.fromEntries(Object.entries(fields).reverse())
      expect(JSON.stringify(target.documentOf({ fields: reversed, active }))).toBe(JSON.stringify(target.documentOf({ fields, active })))
    })

    it('refuses to update and deactivate an account that is not there, and counts it as deleted', async () => {
      const document = target.documentOf(person(2))
      const before = target.documentOf(person(2, { title: 'Baker' }))
      await expect(target.update('nobody', document, { before })).rejects.toMatchObject({ code: 'TARGET_GONE' })
      await expect(target.deactivate('nobody', { before })).rejects.toMatchObject({ code: 'TARGET_GONE' })
      await expect(target.delete('nobody')).resolves.toBeUndefined()
    })

    it('ends a call by its signal', async () => {
      const signal = AbortSignal.abort()
      await expect(target.create(target.documentOf(person(3)), { signal })).rejects.toMatchObject({
        code: 'TARGET_ABORTED',
        retryable: true,
      })
      expect(await subject.count()).toBe(0)
    })

    it('creates, finds, updates, deactivates, reactivates and deletes one account', async () => {
      const document = target.documentOf(person(4))
      expect(await target.find(document)).toBeUndefined()
      const { remoteId } = await target.create(document)
      expect((await target.find(document))?.remoteId).toBe(remoteId)

      const changed = target.documentOf(person(4, { familyName: 'Li', title: 'Baker', department: 'Bakery' }))
      await target.update(remoteId, changed, { before: document })
      expect((await target.find(changed))?.document).toEqual(changed)

      await target.deactivate(remoteId, { before: changed })
      expect((await target.find(changed))?.document).toMatchObject({ active: false })
      await target.update(remoteId, document)
      expect((await target.find(document))?.document).toEqual(document)
      expect(await subject.count()).toBe(1)

      await target.delete(remoteId)
      await target.delete(remoteId)
      expect(await target.find(document)).toBeUndefined()
      expect(await subject.count()).toBe(0)
    })

    it('refuses a second account with the same key', async () => {
      const document = target.documentOf(person(5))
      const { remoteId } = await target.create(document)
      await expect(target.create(document)).rejects.toMatchObject({ code: 'TARGET_EXISTS' })
      expect(await subject.count()).toBe(1)
      await target.delete(remoteId)
    })

    it('lists every account once, page by page, or says that it cannot', async () => {
      if (subject.lists === false) return expect(target.list(1)).rejects.toMatchObject({ code: 'TARGET_UNSUPPORTED', retryable: false })
      const created: string[] = []
      for (let number = 100; number < 205; number += 1) created.push((await target.create(target.documentOf(person(number)))).remoteId)
      const listed: string[] = []
      let next: number | null = 1
      while (next !== null) {
        const page = await target.list(next)
        expect(page.total).toBe(created.length)
        listed.push(...page.accounts.map((account) => account.remoteId))
        next = page.next
      }
      expect(listed.toSorted()).toEqual(created.toSorted())
      expect((await target.check()).detail).not.toBe('')
    })
  })
}
