import type { Target } from '@instep/connectors/kit/target.ts'
import type { TargetPolicy } from '@instep/contract/target-policy.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { type DueTarget, type LeasedAccount, leaseDue, linkAccount, releaseLeases, renewLeases } from './account.store.ts'
import { answerOf, attemptTask } from './attempt-task.ts'
import type { Breaker } from './breaker.ts'
import { afterFailure } from './failure.rules.ts'
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts'
import { readPolicy } from './policy.store.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { prepareTasks, type Task } from './tasks.ts'

/** Rows leased at a time, and how few are left when the next are fetched; of a target that is quicker than the database, more. */
const LEASE = 500
const LOW = 250
const LOW_OF_QUICK = 500
/** After so many leases the search starts at the front again, where rows are that were marked meanwhile. */
const LEASES_IN_A_ROW = 20
/** No more is sent while so many answers wait to be written. */
const MOST_UNWRITTEN = 4000

export interface Service {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly leaseSeconds: number
  readonly renewSeconds: number
  readonly due: DueTarget
  readonly target: Target
  readonly breaker: Breaker
  /** Told how fast the target may be asked, whenever rows are fetched. */
  readonly setPace: (pace: TargetPolicy['pace']) => void
  /** Nothing new is begun once it says so. */
  readonly shouldEnd: () => boolean
  /** Ends what is under way as well. */
  readonly abort: AbortSignal
}

/** Works off the rows of one target that are due, then resolves with how many were brought to an answer. */
export const serveTarget = async (service: Service): Promise<number> => {
  const { db, clock, log, due, breaker } = service
  const keeper = createLeaseKeeper({
    ...service,
    idOf: ({ userId }: LeasedAccount) => userId,
    renewLeases: (held, until) => renewLeases(db, due, { held, until }),
  })
  let answered = 0
  let wake = () => {}
  const correlationId = uuidv7(clock.now().getTime())
  const recorder = createRecorder({
    log,
    write: async (answers) => {
      answered += await recordOutcomes(db, { ...due, targetName: due.name, now: clock.now(), correlationId }, answers)
    },
    written: (answers) => {
      for (const { row } of answers) keeper.letGo(row.userId)
      wake()
    },
  })
  const supply = createSupply(service, keeper, () => wake())
  const attempt = createAttempt(service, recorder)
  const onAbort = () => keeper.abortAll()
  service.abort.addEventListener('abort', onAbort)
  let underWay = 0
  const begin = async (task: Task) => {
    underWay += 1
    if (!(await attempt(task))) keeper.letGo(task.row.userId)
    underWay -= 1
    wake()
  }
  try {
    for (;;) {
      const ending = service.shouldEnd() || service.abort.aborted || breaker.room() === 0
      const room = ending || recorder.backlog() > MOST_UNWRITTEN ? 0 : breaker.room()
      while (underWay < room) {
        const task = supply.take()
        if (!task) break
        if (keeper.mayAct(task)) void begin(task)
      }
      if (underWay === 0 && (ending || supply.dry())) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await recorder.flush()
    await supply.end()
  } finally {
    service.abort.removeEventListener('abort', onAbort)
    keeper.stop()
  }
  return answered
}

/** Rows to be worked on, fetched ahead so that requests need not wait for the database. */
const createSupply = (service: Service, keeper: LeaseKeeper<LeasedAccount>, news: () => void) => {
  const { db, clock, due, breaker, leaseSeconds, shouldEnd } = service
  let queue: Task[] = []
  let next = 0
  let low = LOW
  let fetching: Promise<void> | undefined
  let exhausted = false
  let leases = 0
  let last: LeasedAccount | undefined
  let broken: unknown

  const fetch = async () => {
    const limit = breaker.failing() ? 1 : LEASE
    const now = clock.now()
    const after = leases % LEASES_IN_A_ROW === 0 ? undefined : last
    const until = new Date(now.getTime() + leaseSeconds * 1000)
    const rows = await leaseDue(db, due, { limit, now, until, after })
    last = rows.at(-1)
    // behind the last row nothing is left; what was marked in front of it is found from the start
    leases = rows.length < limit ? 0 : leases + 1
    exhausted = rows.length < limit && after === undefined
    const policy = await readPolicy(db, due)
    service.setPace(policy.pace)
    const tasks = await prepareTasks({ ...service, policy, now }, rows)
    queue = queue.slice(next)
    next = 0
    for (const task of tasks) {
      keeper.hold(task)
      queue.push(task)
    }
  }
  const refill = () => {
    if (fetching || exhausted || broken || shouldEnd() || queue.length - next > low) return
    fetching = fetch()
      .catch((error: unknown) => {
        broken = error
      })
      .finally(() => {
        fetching = undefined
        news()
      })
  }
  return {
    take: (): Task | undefined => {
      refill()
      const task = queue[next]
      if (task) next += 1
      else if (last) low = LOW_OF_QUICK
      return task
    },
    dry: () => !fetching && next >= queue.length && (exhausted || Boolean(broken)),
    /** Gives back what was not begun. Throws when the database failed. */
    end: async () => {
      await fetching
      const left = queue.slice(next)
      if (left.length > 0)
        await releaseLeases(
          db,
          due,
          left.map(({ row }) => row),
        )
      for (const { row } of left) keeper.letGo(row.userId)
      if (broken) throw broken
    },
  }
}

/** One account's turn: document, requests, judgement. False when the right to act was lost and there is nothing to record. */
const createAttempt =
  (service: Service, recorder: Recorder) =>
  async (task: Task): Promise<boolean> => {
    const { db, clock, due, target, breaker, random } = service
    const { row } = task
    const { wanted, outcome } = await attemptTask(target, task, {
      now: clock.now(),
      link: async ({ remoteId }) => {
        await recorder.flush()
        return linkAccount(db, due, { row, remoteId })
      },
    })
    if (outcome.kind === 'abandoned') return false
    if (outcome.kind === 'failed') breaker.failed(row.userId, outcome.failure)
    else if (outcome.kind === 'applied' && outcome.deed !== 'none' && outcome.deed !== 'unlinked') breaker.succeeded()
    const facts = { attempts: row.attempts, now: clock.now(), targetFailing: breaker.failing(), resumesAt: breaker.resumesAt(), random }
    recorder.add(
      answerOf(task, { target, wanted, outcome, standing: outcome.kind === 'failed' ? afterFailure(outcome.failure, facts) : null }),
    )
    return true
  }
