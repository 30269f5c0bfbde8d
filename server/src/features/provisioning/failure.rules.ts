/** What a failed attempt says, as far as it decides what comes next. */
export interface Failure {
  readonly code: string
  /** One line for the technical eye, without secrets. */
  readonly detail: string
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined
}

/** Attempts after which a person's account is given up until the person changes or somebody asks for it again. */
export const MAX_ATTEMPTS = 8
/** Waits between attempts double from the first to the longest, in seconds. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 300
/** A target's wish to wait is honoured up to this, in seconds. */
const LONGEST_WISH = 3600

/**
 * Who is to blame. `target`: it cannot be the person's fault, everybody else would be answered alike. `unclear`: one person's data may
 * trip the target over, but so may an outage: the target is to blame when one person after another gets such an answer. `person`: the
 * target works and does not take this person as it is.
 */
export type Blame = 'target' | 'unclear' | 'person'

const BLAME: Readonly<Record<string, Blame>> = {
  TARGET_UNREACHABLE: 'target',
  TARGET_UNAUTHORISED: 'target',
  TARGET_THROTTLED: 'target',
  TARGET_ADDRESS_REFUSED: 'target',
  TARGET_SETTINGS_INVALID: 'target',
  TARGET_EXISTS: 'person',
  TARGET_GONE: 'person',
  TARGET_AMBIGUOUS: 'person',
  TARGET_REFUSED: 'person',
  TARGET_TAKEN: 'person',
  TARGET_WAITS: 'person',
}

export const blameOf = (failure: Failure): Blame => {
  if (failure.code === 'TARGET_UNAVAILABLE' && failure.retryAfterSeconds !== undefined) return 'target'
  return BLAME[failure.code] ?? 'unclear'
}

/**
 * Exponential wait with jitter: between half of and the whole doubled time.
 *
 * @param attempt 1 for the first failure
 * @param random in [0, 1)
 * @returns milliseconds
 */
export const backoff = (attempt: number, { random, longest = LONGEST_WAIT }: { random: () => number; longest?: number }): number => {
  const full = Math.min(longest, FIRST_WAIT * 2 ** (attempt - 1)) * 1000
  return full / 2 + (full / 2) * random()
}

/** A wait that the target asked for, in milliseconds. */
export const wishedWait = (failure: Failure): number => Math.min(failure.retryAfterSeconds ?? 0, LONGEST_WISH) * 1000

export interface Standing {
  readonly state: 'pending' | 'failed' | 'quarantined' | 'paused'
  readonly attempts: number
  /** `infinity`: not by itself. */
  readonly nextTryAt: Date | 'infinity'
}

/** What is known when a failed attempt is judged. */
export interface FailureFacts {
  readonly attempts: number
  readonly now: Date
  /** The target as a whole does not work at present. */
  readonly targetFailing: boolean
  /** When the target is tried again, if it is paused. */
  readonly resumesAt: Date | null
  readonly random: () => number
}

/**
 * What becomes of an account after a failed attempt. Attempts that failed because of the target as a whole do not count; nobody is given up
 * while the target does not work for anybody.
 */
export const afterFailure = (failure: Failure, facts: FailureFacts): Standing => {
  // it is in somebody's hands: nothing failed, and looking again brings nothing until they are done or the person changes
  if (failure.code === 'TARGET_WAITS') return { state: 'pending', attempts: facts.attempts, nextTryAt: 'infinity' }
  const blame = blameOf(failure)
  if (blame === 'target')
    return { state: 'paused', attempts: facts.attempts, nextTryAt: facts.resumesAt ?? new Date(facts.now.getTime() + wishedWait(failure)) }
  const attempts = facts.attempts + 1
  const final = blame === 'person' && !failure.retryable
  if (final || (attempts >= MAX_ATTEMPTS && !facts.targetFailing)) return { state: 'quarantined', attempts, nextTryAt: facts.now }
  const counted = Math.min(attempts, MAX_ATTEMPTS - 1)
  const wait = Math.max(backoff(attempts, facts), wishedWait(failure))
  return { state: 'failed', attempts: counted, nextTryAt: new Date(facts.now.getTime() + wait) }
}
