import type { Service } from '../serve-target.ts'
import { type LeasedGroup, renewGroups } from './group.store.ts'

/** Keeps the leases of groups alive while they are worked on, and ends the work when one is lost. */
export interface GroupLeases {
  hold(group: LeasedGroup): { readonly group: LeasedGroup; readonly signal: AbortSignal }
  letGo(group: LeasedGroup): void
  stop(): void
}

/** Renews every `renewSeconds` what is held; a lease that cannot be renewed in time ends its requests. */
export const createGroupLeases = ({ db, due, clock, log, leaseSeconds, renewSeconds, abort }: Service): GroupLeases => {
  const held = new Map<string, { group: LeasedGroup; abort: AbortController }>()
  let renewing = false
  const lose = (id: string) => {
    held.get(id)?.abort.abort()
    held.delete(id)
  }
  const abortAll = () => {
    for (const id of [...held.keys()]) lose(id)
  }
  const renew = async () => {
    if (renewing || held.size === 0) return
    renewing = true
    const asked = [...held.values()].map(({ group }) => group)
    try {
      const until = new Date(clock.now().getTime() + leaseSeconds * 1000)
      const kept = await renewGroups(db, due, { groups: asked, until })
      for (const { id } of asked) if (!kept.has(id)) lose(id)
    } catch (error) {
      log.warn({ err: error, groups: asked.length }, 'leases of groups could not be renewed; their requests are ended')
      for (const { id } of asked) lose(id)
    } finally {
      renewing = false
    }
  }
  const timer = setInterval(() => void renew(), renewSeconds * 1000)
  abort.addEventListener('abort', abortAll)
  return {
    hold: (group) => {
      const controller = new AbortController()
      held.set(group.id, { group, abort: controller })
      return { group, signal: controller.signal }
    },
    letGo: ({ id }) => {
      held.delete(id)
    },
    stop: () => {
      clearInterval(timer)
      abort.removeEventListener('abort', abortAll)
    },
  }
}
