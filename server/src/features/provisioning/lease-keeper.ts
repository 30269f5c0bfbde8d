import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { LeasedAccount } from './account.store.ts'

/** A leased row on its way; `abort` ends its requests when the right to act is lost. */
export interface Held {
  readonly row: LeasedAccount
  readonly abort: AbortController
}

/** Keeps leases alive while their rows are worked on, and ends the work when that fails. */
export interface LeaseKeeper {
  hold(held: Held): void
  letGo(userId: string): void
  /** Whether the row may still be acted upon. */
  mayAct(held: Held): boolean
  /** Renews everything held; called by the timer. */
  renew(): Promise<void>
  abortAll(): void
  stop(): void
}

export interface KeeperOptions {
  readonly clock: Clock
  readonly log: Log
  readonly leaseSeconds: number
  readonly renewSeconds: number
  /** Renews rows until a time and answers the people whose rows are still ours. */
  readonly renewLeases: (rows: readonly LeasedAccount[], until: Date) => Promise<Set<string>>
}

/** Renews every `renewSeconds` as long as something is held. */
export const createLeaseKeeper = ({ clock, log, leaseSeconds, renewSeconds, renewLeases }: KeeperOptions): LeaseKeeper => {
  const held = new Map<string, Held>()
  // leases of rows that were renewed end later than the row says
  const ends = new Map<string, number>()
  let renewing = false

  const lose = (userId: string) => {
    held.get(userId)?.abort.abort()
    held.delete(userId)
    ends.delete(userId)
  }
  const abortAll = () => {
    for (const userId of [...held.keys()]) lose(userId)
  }
  const endOf = (row: LeasedAccount) => ends.get(row.userId) ?? row.leasedUntil.getTime()
  const loseOverdue = () => {
    const now = clock.now().getTime()
    for (const { row } of [...held.values()]) if (endOf(row) <= now) lose(row.userId)
  }

  const renew = async () => {
    loseOverdue()
    if (renewing || held.size === 0) return
    renewing = true
    const asked = [...held.values()]
    const until = new Date(clock.now().getTime() + leaseSeconds * 1000)
    try {
      const kept = await renewLeases(
        asked.map(({ row }) => row),
        until,
      )
      for (const entry of asked) {
        if (held.get(entry.row.userId) !== entry) continue
        if (kept.has(entry.row.userId)) ends.set(entry.row.userId, until.getTime())
        else lose(entry.row.userId)
      }
    } catch (error) {
      log.warn({ err: error, rows: asked.length }, 'leases could not be renewed; their requests are ended')
      for (const entry of asked) if (held.get(entry.row.userId) === entry) lose(entry.row.userId)
    } finally {
      renewing = false
    }
  }

  const timer = setInterval(() => void renew(), renewSeconds * 1000)
  return {
    hold: (entry) => {
      held.set(entry.row.userId, entry)
    },
    letGo: (userId) => {
      held.delete(userId)
      ends.delete(userId)
    },
    mayAct: (entry) => held.get(entry.row.userId) === entry && endOf(entry.row) > clock.now().getTime(),
    renew,
    abortAll,
    stop: () => clearInterval(timer),
  }
}
