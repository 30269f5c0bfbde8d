import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GroupTarget, WantedGroup } from './group-target.ts'

export interface GroupTargetSubject {
  /** Ready for requests, with no groups in it. */
  readonly groups: GroupTarget
  /** Remote ids of accounts to be members, at least five. */
  readonly accounts: readonly string[]
  /** The groups that the outside system holds. */
  count(): number | Promise<number>
  close(): Promise<void>
}

const group = (number: number, more: Partial<WantedGroup> = {}): WantedGroup => ({
  externalId: `group-${number}`,
  name: `Zoë's "${number}" \\ team`,
  ...more,
})

/** What provisioning relies on. Every target with groups passes it, against its complete stand-in; one subject serves the whole suite. */
export const describeGroupTarget = (name: string, setUp: () => Promise<GroupTargetSubject>): void => {
  describe(`${name} as a target of groups`, () => {
    let subject: GroupTargetSubject
    let groups: GroupTarget
    const account = (index: number): string => subject.accounts[index] ?? ''
    const members = async (remoteId: string) => (await groups.members(remoteId)).toSorted()
    beforeAll(async () => {
      subject = await setUp()
      groups = subject.groups
    })
    afterAll(() => subject?.close())

    it('says that a group is not there, and counts it as deleted', async () => {
      const gone = { code: 'TARGET_GONE' }
      await expect(groups.update('nobody', groups.documentOf(group(1)))).rejects.toMatchObject(gone)
      await expect(groups.addMembers('nobody', [account(0)])).rejects.toMatchObject(gone)
      await expect(groups.removeMembers('nobody', [account(0)])).rejects.toMatchObject(gone)
      await expect(groups.members('nobody')).rejects.toMatchObject(gone)
      await expect(groups.delete('nobody')).resolves.toBeUndefined()
    })

    it('ends a call by its signal', async () => {
      const call = { signal: AbortSignal.abort() }
      await expect(groups.create(groups.documentOf(group(2)), call)).rejects.toMatchObject({ code: 'TARGET_ABORTED', retryable: true })
      expect(await subject.count()).toBe(0)
    })

    it('refuses a second group of the name', async () => {
      const document = groups.documentOf(group(3))
      const { remoteId } = await groups.create(document)
      await expect(groups.create(groups.documentOf(group(3, { externalId: 'other' })))).rejects.toMatchObject({ code: 'TARGET_EXISTS' })
      expect(await subject.count()).toBe(1)
      await groups.delete(remoteId)
    })

    it('refuses a member that is no account, and adds none of the others with it', async () => {
      const { remoteId } = await groups.create(groups.documentOf(group(4)))
      await expect(groups.addMembers(remoteId, [account(0), 'nobody'])).rejects.toMatchObject({ code: 'TARGET_REFUSED' })
      expect(await groups.members(remoteId)).toEqual([])
      await groups.delete(remoteId)
    })

    it('creates, finds, renames and deletes one group, and renaming leaves the members', async () => {
      const document = groups.documentOf(group(5, { privacy: 'closed', admins: [account(0)] }))
      expect(await groups.find(document)).toBeUndefined()
      const { remoteId } = await groups.create(document)
      expect(await groups.find(document)).toMatchObject({ remoteId, document })
      await groups.addMembers(remoteId, [account(1)])
      const renamed = groups.documentOf(group(5, { name: 'Kitchen', privacy: 'secret', description: 'Cooks' }))
      await groups.update(remoteId, renamed, { before: document })
      expect(await groups.find(document)).toBeUndefined()
      expect((await groups.find(renamed))?.document).toEqual(renamed)
      await groups.update(remoteId, document)
      expect((await groups.find(document))?.document).toEqual(document)
      expect(await groups.members(remoteId)).toEqual([account(1)])
      await groups.delete(remoteId)
      await groups.delete(remoteId)
      expect(await subject.count()).toBe(0)
    })

    it('adds and removes members, and doing it twice is doing it once', async () => {
      const { remoteId } = await groups.create(groups.documentOf(group(6)))
      const some = [account(0), account(1), account(2)]
      await groups.addMembers(remoteId, some)
      await groups.addMembers(remoteId, [account(2), account(3)])
      expect(await members(remoteId)).toEqual([...some, account(3)].toSorted())
      await groups.removeMembers(remoteId, [account(0), account(4)])
      await groups.removeMembers(remoteId, [account(0), account(1)])
      expect(await members(remoteId)).toEqual([account(2), account(3)].toSorted())
      await groups.removeMembers(remoteId, [account(2), account(3)])
      expect(await members(remoteId)).toEqual([])
      await groups.delete(remoteId)
    })
  })
}
