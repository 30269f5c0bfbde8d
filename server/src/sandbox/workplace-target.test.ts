import type { GroupingTarget } from '@instep/connectors/kit/group-target.ts'
import type { GroupTargetSubject } from '@instep/connectors/kit/group-target-contract.ts'
import { describeGroupTarget } from '@instep/connectors/kit/group-target-contract.ts'
import { describeTarget } from '@instep/connectors/kit/target-contract.ts'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { createWorkplaceTarget, type WorkplaceTarget } from '@instep/connectors/workplace/workplace-target.ts'
import { sandboxForTests, type TestSandbox } from '@instep/sandbox/testing/sandbox-for-tests.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SECRETS = { token: 'sandbox-northwind' }
const workplaceOf = (sandbox: TestSandbox) => createWorkplaceTarget({ baseUrl: `${sandbox.url()}/workplace/northwind` }, SECRETS)

const addAccounts = async (target: GroupingTarget, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const fields = { externalId: `P${number}`, givenName: 'Zoé', familyName: `Li ${number}`, workEmail: `zoe.${number}@example.com` }
    ids.push((await target.create(target.documentOf({ active: true, fields }))).remoteId)
  }
  return ids
}

const groupSubject = async (open: (sandbox: TestSandbox) => GroupingTarget): Promise<GroupTargetSubject> => {
  const sandbox = await sandboxForTests()
  const target = open(sandbox)
  return {
    groups: target.groups,
    accounts: await addAccounts(target, 5),
    count: async () => (await sandbox.scim({ path: '/Groups?count=0' })).body.totalResults,
    close: async () => {
      await target.close()
      await sandbox.close()
    },
  }
}

describeTarget('the workplace of the sandbox', async () => {
  const sandbox = await sandboxForTests()
  const target = workplaceOf(sandbox)
  return {
    target,
    count: async () => (await sandbox.scim({ path: '/Users?count=0' })).body.totalResults,
    close: async () => {
      await target.close()
      await sandbox.close()
    },
  }
})
describeGroupTarget('the workplace of the sandbox', () => groupSubject(workplaceOf))
for (const memberRemoval of ['filter', 'values'])
  describeGroupTarget(`the SCIM endpoint of the sandbox, members taken out by ${memberRemoval}`, () =>
    groupSubject((sandbox) => createScimTarget({ baseUrl: `${sandbox.url()}/workplace/northwind/scim/v2`, memberRemoval }, SECRETS)),
  )

describe('what people write at the workplace', () => {
  let sandbox: TestSandbox
  let target: WorkplaceTarget
  let author = ''
  let other = ''
  let groupId = ''
  const write = async (place: string, body: object) => {
    const headers = { authorization: `Bearer ${SECRETS.token}`, 'content-type': 'application/json' }
    const url = `${sandbox.url()}/workplace/northwind/api/v1/${place}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { id: string } }
  }
  beforeAll(async () => {
    sandbox = await sandboxForTests()
    target = workplaceOf(sandbox)
    const accounts = await addAccounts(target, 2)
    author = accounts[0] ?? ''
    other = accounts[1] ?? ''
    groupId = (await target.groups.create(target.groups.documentOf({ externalId: 'g', name: 'Kitchen' }))).remoteId
  })
  afterAll(async () => {
    await target.close()
    await sandbox.close()
  })

  it('is not told to whoever has another token', async () => {
    const stranger = createWorkplaceTarget({ baseUrl: `${sandbox.url()}/workplace/northwind` }, { token: 'sandbox-contoso' })
    await expect(stranger.content.list({ kind: 'post' })).rejects.toMatchObject({ code: 'TARGET_UNAUTHORISED' })
    await stranger.close()
  })

  it('is refused without an author, a group or words, and a shift post likewise', async () => {
    expect((await write('posts', { authorId: 'nobody', groupId, text: 'Hello' })).status).toBe(400)
    expect((await write('posts', { authorId: author, text: 'Hello' })).status).toBe(400)
    expect((await write('messages', { authorId: author, text: ' ' })).status).toBe(400)
    const post = { externalId: 's-1', groupId: 'nowhere', authorId: author, text: 'Late shift' }
    await expect(target.content.publishShift(post)).rejects.toMatchObject({ code: 'TARGET_REFUSED' })
  })

  it('is listed oldest first, by author and by time, page by page also while it is deleted', async () => {
    for (let day = 1; day <= 120; day += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString()
      const authorId = day % 2 === 0 ? author : other
      expect((await write('posts', { authorId, groupId, text: `Day ${day}`, createdAt })).status).toBe(201)
    }
    const before = new Date(Date.UTC(2026, 0, 1) + 111 * 86_400_000)
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await target.content.list({ kind: 'post', authorId: author, before, after })
      for (const item of page.items) {
        expect(item).toMatchObject({ kind: 'post', authorId: author, groupId })
        seen.push(item.text)
        await target.content.delete(item)
        await target.content.delete(item)
      }
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual(Array.from({ length: 55 }, (_, index) => `Day ${2 * (index + 1)}`))
    const left = await target.content.list({ kind: 'post', authorId: author })
    expect(left.items.map(({ text }) => text)).toEqual(['Day 112', 'Day 114', 'Day 116', 'Day 118', 'Day 120'])
  })

  it('has messages without a group', async () => {
    await write('messages', { authorId: author, text: 'Psst' })
    const { items, next } = await target.content.list({ kind: 'message' })
    expect([items.map(({ text, groupId: group }) => [text, group]), next]).toEqual([[['Psst', null]], null])
  })

  it('has one post of a shift however often it is published, and it survives a restart', async () => {
    const post = { externalId: 'shift/1', groupId, authorId: author, text: 'Early shift' }
    const id = await target.content.publishShift(post)
    expect(await target.content.publishShift({ ...post, text: 'Late shift' })).toBe(id)
    await target.close()
    await sandbox.restart()
    target = workplaceOf(sandbox)
    expect((await target.content.list({ kind: 'shiftPost' })).items).toMatchObject([{ id, text: 'Late shift', groupId }])
    await target.content.delete({ kind: 'shiftPost', id })
    expect((await target.content.list({ kind: 'shiftPost' })).items).toEqual([])
  })
})
