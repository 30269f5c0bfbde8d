import type { Call, Target } from '@instep/connectors/kit/target.ts'

/** Resolves when so many requests may go out; undefined: now. */
export type Ready = (requests: number, call: Call | undefined) => Promise<void> | undefined

/** A target whose requests wait for their turn. */
export const pacedTarget = (target: Target, ready: Ready): Target => {
  const inTurn = <T>(requests: number, call: Call | undefined, act: () => Promise<T>): Promise<T> => {
    const turn = ready(requests, call)
    return turn ? turn.then(act) : act()
  }
  return {
    ...target,
    find: (document, call) => inTurn(1, call, () => target.find(document, call)),
    create: (document, call) => inTurn(1, call, () => target.create(document, call)),
    // what is not known is read first
    update: (remoteId, document, call) => inTurn(call?.before ? 1 : 2, call, () => target.update(remoteId, document, call)),
    deactivate: (remoteId, call) => inTurn(1, call, () => target.deactivate(remoteId, call)),
    delete: (remoteId, call) => inTurn(1, call, () => target.delete(remoteId, call)),
  }
}
