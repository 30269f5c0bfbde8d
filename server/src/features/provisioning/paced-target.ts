import { type GroupTarget, groupsOf } from '@instep/connectors/kit/group-target.ts'
import type { Call, Target } from '@instep/connectors/kit/target.ts'

/** Resolves when so many requests may go out; undefined: now. */
export type Ready = (requests: number, call: Call | undefined) => Promise<void> | undefined

type InTurn = <T>(requests: number, call: Call | undefined, act: () => Promise<T>) => Promise<T>

/** Groups and memberships are asked for in the same turns as accounts. */
const pacedGroups = (groups: GroupTarget, inTurn: InTurn): GroupTarget => ({
  ...groups,
  find: (document, call) => inTurn(1, call, () => groups.find(document, call)),
  create: (document, call) => inTurn(1, call, () => groups.create(document, call)),
  update: (remoteId, document, call) => inTurn(call?.before ? 1 : 2, call, () => groups.update(remoteId, document, call)),
  delete: (remoteId, call) => inTurn(1, call, () => groups.delete(remoteId, call)),
  addMembers: (remoteId, accounts, call) => inTurn(1, call, () => groups.addMembers(remoteId, accounts, call)),
  removeMembers: (remoteId, accounts, call) => inTurn(1, call, () => groups.removeMembers(remoteId, accounts, call)),
  members: (remoteId, call) => inTurn(1, call, () => groups.members(remoteId, call)),
})

/** A target whose requests wait for their turn, those about its groups as well. */
export const pacedTarget = (target: Target, ready: Ready): Target => {
  const inTurn: InTurn = (requests, call, act) => {
    const turn = ready(requests, call)
    return turn ? turn.then(act) : act()
  }
  const groups = groupsOf(target)
  return {
    ...target,
    ...(groups && { groups: pacedGroups(groups, inTurn) }),
    find: (document, call) => inTurn(1, call, () => target.find(document, call)),
    create: (document, call) => inTurn(1, call, () => target.create(document, call)),
    // what is not known is read first
    update: (remoteId, document, call) => inTurn(call?.before ? 1 : 2, call, () => target.update(remoteId, document, call)),
    deactivate: (remoteId, call) => inTurn(1, call, () => target.deactivate(remoteId, call)),
    delete: (remoteId, call) => inTurn(1, call, () => target.delete(remoteId, call)),
  }
}
