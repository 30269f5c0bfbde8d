import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

/** A row as it was leased. */
interface Leased {
  readonly leasedUntil: Date
}

/** A leased row on its way; `abort` ends its requests when the right to act is lost. */
export interface Held<Row extends Leased> {
  readonly row: Row
  readonly abort: AbortController
}

/** Keeps leases alive while their rows are worked on, and ends the work when that fails. */
export interface LeaseKeeper<Row extends Leased> {
  hold(held: Held<Row>): void
  letGo(id: string): void
  /** Whether the row may still be acted upon. */
  mayAct(held: Held<Row>): boolean
  /** Renews everything held; called by the timer. */
  renew(): Promise<void>
  abortAll(): void
  stop(): void
}

export interface KeeperOptions<Row extends Leased> {
  readonly clock: Clock
  readonly log: Log
  readonly leaseSeconds: number
  readonly renewSeconds: number
  readonly idOf: (row: Row) => string
  /** Renews rows until a time and answers the ids of those that are still ours. */
  readonly renewLeases: (rows: readonly Row[], until: Date) => Promise<Set<string>>
}

/** Renews every `renewSeconds` as long as something is held. */
export const createLeaseKeeper = <Row extends Leased>(options: KeeperOptions<Row>): LeaseKeeper<Row> => {
  const { clock, log, leaseSeconds, renewSeconds, idOf, renewLeases } = options
  const held = new Map<string, Held<Row>>()
  // leases of rows that were renewed end later than the row says
  const ends = new Map<string, number>()
  let renewing = false

  const lose = (id: string) => {
    held.get(id)?.abort.abort()
    held.delete(id)
    ends.delete(id)
  }
  const abortAll = () => {
    for (const id of [...held.keys()]) lose(id)
  }
  const endOf = (row: Row) => ends.get(idOf(row)) ?? row.leasedUntil.getTime()
  const loseOverdue = () => {
    const now = clock.now().getTime()
    for (const { row } of [...held.values()]) if (endOf(row) <= now) lose(idOf(row))
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
        const id = idOf(entry.row)
        if (held.get(id) !== entry) continue
        if (kept.has(id)) ends.set(id, until.getTime())
        else lose(id)
      }
    } catch (error) {
      log.warn({ err: error, rows: asked.length }, 'leases could not be renewed; their requests are ended')
      for (const entry of asked) if (held.get(idOf(entry.row)) === entry) lose(idOf(entry.row))
    } finally {
      renewing = false
    }
  }

  const timer = setInterval(() => void renew(), renewSeconds * 1000)
  return {
    hold: (entry) => {
      held.set(idOf(entry.row), entry)
    },
    letGo: (id) => {
      held.delete(id)
      ends.delete(id)
    },
    mayAct: (entry) => held.get(idOf(entry.row)) === entry && endOf(entry.row) > clock.now().getTime(),
    renew,
    abortAll,
    stop: () => clearInterval(timer),
  }
}
