import { describeGroupTarget } from '../kit/group-target-contract.ts'
import { createScimTarget } from './scim-target.ts'
import { startScimStandIn } from './testing/scim-stand-in.ts'

for (const memberRemoval of ['filter', 'values'])
  describeGroupTarget(`SCIM 2.0, members taken out by ${memberRemoval}`, async () => {
    const standIn = await startScimStandIn()
    const target = createScimTarget({ baseUrl: standIn.baseUrl, memberRemoval }, { token: standIn.token })
    const accounts: string[] = []
    for (const name of ['ana', 'bo', 'cy', 'di', 'ed'])
      accounts.push((await target.create(target.documentOf({ active: true, fields: { workEmail: `${name}@example.com` } }))).remoteId)
    const close = async () => {
      await target.close()
      await standIn.close()
    }
    return { groups: target.groups, accounts, count: () => standIn.groups.size, close }
  })
