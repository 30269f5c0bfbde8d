import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Target } from '@instep/connectors/kit/target.ts'
import type { TargetPolicy } from '@instep/contract/target-policy.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { DueTarget } from './account.store.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { failureOf } from './carry-out.ts'
import { dueWork, serveWork } from './groups/due-work.ts'
import { markNextChunk } from './mark-pending.ts'
import { pacedTarget, type Ready } from './paced-target.ts'
import { recordHealth } from './target-health.ts'
import { pauseUnopened, tellOfPauses } from './target-pauses.ts'
import { createTokenBucket, type TokenBucket } from './token-bucket.ts'

export interface ProvisionerOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** Makes the client of a target from its stored settings; it is closed after use. */
  readonly openTarget: (tenantId: string, targetId: string) => Promise<Target>
  /** Requests to one target at one time. */
  readonly concurrency: number
  /** How long a row is held without a sign of life, and how often one is given, in seconds. */
  readonly leaseSeconds?: number
  readonly renewSeconds?: number
  /** In [0, 1), for jitter. */
  readonly random?: () => number
  /** Waits so many milliseconds; rejects when the signal ends it. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Closes the difference between what targets should hold and what they confirmed, for as long as it runs. */
export interface Provisioner {
  start(): void
  /** Begins nothing new, waits for what is under way (at most 5 s, then ends it), gives back the rest. */
  stop(): Promise<void>
  /** Something was marked: look now and not at the next turn. With a target: end its pause as well, somebody asks for a try. */
  nudge(targetId?: string): void
  /** Does everything that is due at the clock's time and resolves with how many accounts were brought to an answer. */
  runOnce(): Promise<number>
}

/** Looks for due rows at least this often, in milliseconds; retries and other processes' markings need no nudge. */
const TURN = 1000
/** Targets served at one time, and how long one is served while others wait. */
const MOST_TARGETS = 32
const SLICE = 10_000
const DRAIN = 5000

export const createProvisioner = (options: ProvisionerOptions): Provisioner => {
  const { db, clock, log } = options
  const serving = new Map<string, Promise<number>>()
  const lastServed = new Map<string, number>()
  const abort = new AbortController()
  let waiting = 0
  let stopping = false
  let nudged = false
  let loop: Promise<void> | undefined
  let wake = () => {}
  const look = () => {
    nudged = true
    wake()
  }
  const marker = createMarker(db, { ending: () => stopping, marked: look })
  const { serve, isOpen, resume } = createServer(options, { abort: abort.signal, othersWait: () => waiting > 0, stopping: () => stopping })

  /** Begins to serve targets that are due and not being served, those that waited longest first. */
  const turn = async (): Promise<void> => {
    const due = (await dueWork(db, clock.now())).filter(({ targetId }) => !serving.has(targetId) && isOpen(targetId))
    due.sort((a, b) => (lastServed.get(a.targetId) ?? 0) - (lastServed.get(b.targetId) ?? 0))
    const room = Math.max(0, MOST_TARGETS - serving.size)
    waiting = Math.max(0, due.length - room)
    for (const one of due.slice(0, room)) {
      lastServed.set(one.targetId, Date.now())
      const work = serve(one).finally(() => {
        serving.delete(one.targetId)
        look()
      })
      serving.set(one.targetId, work)
    }
  }

  const run = async () => {
    while (!stopping) {
      nudged = false
      void marker.markAll().catch((error: unknown) => log.error({ err: error }, 'people could not be marked at a target'))
      await turn().catch((error: unknown) => log.error({ err: error }, 'due accounts could not be looked up'))
      if (nudged) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TURN)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  return {
    start: () => {
      loop ??= run()
    },
    stop: async () => {
      stopping = true
      look()
      await loop
      await marker.ended()
      const timer = setTimeout(() => abort.abort(), DRAIN)
      await Promise.allSettled(serving.values())
      clearTimeout(timer)
    },
    nudge: (targetId) => {
      if (targetId !== undefined) resume(targetId)
      look()
    },
    runOnce: async () => {
      let total = 0
      for (;;) {
        await marker.markAll()
        await turn()
        const answered = (await Promise.all(serving.values())).reduce((sum, one) => sum + one, 0)
        total += answered
        if (answered === 0) return total
      }
    },
  }
}

/** Marks whoever is still to be marked at a target, chunk by chunk, while those who are marked are served. */
const createMarker = (db: Db, { ending, marked }: { ending: () => boolean; marked: () => void }) => {
  let marking: Promise<void> | undefined
  const markOn = async () => {
    while (!ending() && (await markNextChunk(db))) marked()
  }
  return {
    markAll: (): Promise<void> => {
      marking ??= markOn().finally(() => {
        marking = undefined
      })
      return marking
    },
    /** Resolves when the chunk under way is done, or failed. */
    ended: async () => {
      await marking?.catch(() => {})
    },
  }
}

interface Turns {
  readonly bucket: TokenBucket
  readonly breaker: Breaker
  readonly clock: Clock
  readonly sleep: NonNullable<ProvisionerOptions['sleep']>
}

/** Requests wait for their tokens; those that waited into a pause are not sent. */
const inTurn =
  ({ bucket, breaker, clock, sleep }: Turns): Ready =>
  (requests, call) => {
    const wait = bucket.take(requests)
    if (wait === 0) return undefined
    return sleep(wait, call?.signal).then(() => {
      const resumesAt = breaker.resumesAt()
      if (!resumesAt) return
      const retryAfterSeconds = (resumesAt.getTime() - clock.now().getTime()) / 1000
      throw new ConnectorError({ code: 'TARGET_THROTTLED', detail: 'the target is paused', retryable: true, retryAfterSeconds })
    })
  }

interface Circumstances {
  readonly abort: AbortSignal
  readonly othersWait: () => boolean
  readonly stopping: () => boolean
}

/** Serves one target for as long as it is due, it answers, and nobody else has waited too long. Never rejects. */
const createServer = (options: ProvisionerOptions, { abort, othersWait, stopping }: Circumstances) => {
  const { db, clock, log } = options
  const settings = { leaseSeconds: 10, renewSeconds: 3, random: Math.random, ...options }
  const sleep = options.sleep ?? ((milliseconds, signal) => setTimeoutPromise(milliseconds, undefined, signal ? { signal } : {}))
  const buckets = new Map<string, TokenBucket>()
  const bucketOf = (targetId: string): TokenBucket => {
    const known = buckets.get(targetId) ?? createTokenBucket({ clock })
    buckets.set(targetId, known)
    return known
  }
  const breakers = new Map<string, Breaker>()
  const breakerOf = (targetId: string): Breaker => {
    const known = breakers.get(targetId) ?? createBreaker({ clock, random: settings.random, most: options.concurrency })
    breakers.set(targetId, known)
    return known
  }
  const open = async (due: DueTarget, breaker: Breaker): Promise<Target | undefined> => {
    try {
      return await options.openTarget(due.tenantId, due.targetId)
    } catch (error) {
      log.warn({ err: error, targetId: due.targetId }, 'a target could not be opened')
      await pauseUnopened({ ...settings, due, breaker }, failureOf(error))
      return undefined
    }
  }
  const serve = async (due: DueTarget): Promise<number> => {
    const breaker = breakerOf(due.targetId)
    const pausesBefore = breaker.pauses()
    const begun = Date.now()
    const shouldEnd = () => stopping() || (othersWait() && Date.now() - begun > SLICE)
    const bucket = bucketOf(due.targetId)
    const setPace = ({ concurrency, perSecond }: TargetPolicy['pace']) => {
      breaker.allow(Math.min(concurrency ?? options.concurrency, options.concurrency))
      bucket.setRate(perSecond)
    }
    let target: Target | undefined
    try {
      target = await open(due, breaker)
      if (!target) return 0
      const paced = pacedTarget(target, inTurn({ bucket, breaker, clock, sleep }))
      return await serveWork({ ...settings, due, target: paced, breaker, setPace, shouldEnd, abort })
    } catch (error) {
      log.error({ err: error, targetId: due.targetId }, 'a target could not be served')
      return 0
    } finally {
      await target?.close()
      await tellOfPauses({ db, clock, log, due, breaker }, pausesBefore)
      await recordHealth({ db, key: due, breaker, now: clock.now() }).catch((error: unknown) =>
        log.error({ err: error, targetId: due.targetId }, 'health was not recorded'),
      )
    }
  }
  return { serve, isOpen: (targetId: string) => breakerOf(targetId).room() > 0, resume: (targetId: string) => breakerOf(targetId).resume() }
}
