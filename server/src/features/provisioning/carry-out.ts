import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { AccountDocument, AppliedAccount, RemoteAccount, Target } from '@instep/connectors/kit/target.ts'
import { firstStep, type KnownAccount, type WantedAccount } from './account.rules.ts'
import type { Failure } from './failure.rules.ts'
import type { Removal } from './leaver.rules.ts'

/** The cause of an account that an administrator has listed. */
export const PROTECTED_ACCOUNT = 'PROTECTED_ACCOUNT'

/** What was done at the target. `linked`: an account that was there already is this person's from now on. */
export type Deed = 'none' | 'created' | 'linked' | 'updated' | 'disabled' | 'deleted' | 'unlinked'

/** How an attempt ended. */
export type Outcome =
  | {
      readonly kind: 'applied'
      readonly deed: Deed
      readonly remoteId: string | null
      readonly etag: string | null
      /** What the target holds now; null when that is not known exactly. */
      readonly document: AccountDocument | null
    }
  | {
      readonly kind: 'failed'
      readonly failure: Failure
      readonly uncertain: boolean
      /** The document of a create whose answer never came: if the person's key changes, the account is still found by the one it has. */
      readonly sent: AccountDocument | null
    }
  /** Nothing was sent, and what is known stays as it is. */
  | {
      readonly kind: 'kept'
      readonly state: 'inStep' | 'protected' | 'held' | 'leaving' | 'pending'
      readonly cause: string | null
      /** When to look again; at once when left out. */
      readonly nextTryAt?: Date | null
    }
  /** The right to act was lost on the way; whoever has it now looks first. */
  | { readonly kind: 'abandoned' }

export interface Errand {
  readonly known: KnownAccount
  readonly wanted: WantedAccount
  /** What becomes of the account when the person is not active. */
  readonly leaver: Removal
  readonly signal: AbortSignal
  /** An account found at the target that is never touched. */
  readonly isProtected: (account: RemoteAccount) => boolean
  /**
   * Writes down that an account found at the target is this person's, before it is changed. False when it is somebody else's already.
   */
  readonly link: (account: AppliedAccount) => Promise<boolean>
}

/** Brings one account in step with what is wanted; never throws for what the target does. */
export const carryOut = async (target: Target, errand: Errand): Promise<Outcome> => {
  try {
    return await act(target, errand)
  } catch (error) {
    if (errand.signal.aborted) return { kind: 'abandoned' }
    const uncertain = errand.known.uncertain || leavesDoubt(error)
    const sent = uncertain && errand.known.remoteId === null ? (errand.known.applied ?? errand.wanted.document) : null
    return { kind: 'failed', failure: failureOf(error), uncertain, sent }
  }
}

const LONGEST_DETAIL = 500
const detailOf = (text: string): string => text.slice(0, LONGEST_DETAIL).replaceAll('\0', '\ufffd').toWellFormed()

/** A failure as it is recorded, in words that can be kept: of several answers that are written down together one must not spoil all. What is no ConnectorError is a bug of ours, in a line that may be shown. */
export const failureOf = (error: unknown): Failure =>
  error instanceof ConnectorError
    ? { code: error.code, detail: detailOf(error.detail), retryable: error.retryable, retryAfterSeconds: error.retryAfterSeconds }
    : { code: 'TARGET_FAULT', detail: detailOf(String(error)), retryable: true, retryAfterSeconds: undefined }

const leavesDoubt = (error: unknown): boolean =>
  !(error instanceof ConnectorError) || error.code === 'TARGET_UNCERTAIN' || error.code === 'TARGET_ABORTED'

const act = async (target: Target, errand: Errand): Promise<Outcome> => {
  const { known, wanted, signal } = errand
  const step = firstStep(known, wanted, errand.leaver)
  switch (step.act) {
    case 'nothing':
      return { kind: 'applied', deed: 'none', remoteId: known.remoteId, etag: null, document: known.applied }
    case 'create':
      return createOrLink(target, errand)
    case 'find':
      return findFirst(target, errand)
    case 'delete':
      await target.delete(step.remoteId, { signal })
      return absent('deleted')
    case 'update':
      try {
        return await update(target, errand, { ...step, etag: known.etag, deed: wanted.active ? 'updated' : 'disabled' })
      } catch (error) {
        if (isCode(error, 'TARGET_GONE')) return wanted.active ? findFirst(target, errand) : absent('none')
        throw error
      }
  }
}

const isCode = (error: unknown, code: string): error is ConnectorError => error instanceof ConnectorError && error.code === code

const absent = (deed: Deed): Outcome => ({ kind: 'applied', deed, remoteId: null, etag: null, document: null })

const create = async (target: Target, { wanted, signal }: Errand): Promise<Outcome> => {
  const { remoteId, etag } = await target.create(wanted.document, { signal })
  return { kind: 'applied', deed: 'created', remoteId, etag, document: wanted.document }
}

const createOrLink = async (target: Target, errand: Errand): Promise<Outcome> => {
  try {
    return await create(target, errand)
  } catch (error) {
    if (!isCode(error, 'TARGET_EXISTS')) throw error
    const found = await target.find(errand.wanted.document, { signal: errand.signal })
    // the key is taken by what cannot be seen, or the target's search lags behind
    if (!found) throw new ConnectorError({ code: 'TARGET_EXISTS', detail: error.detail, retryable: true })
    return linkTo(found, target, errand)
  }
}

const findFirst = async (target: Target, errand: Errand): Promise<Outcome> => {
  const { known, wanted, signal } = errand
  const found =
    (known.remoteId === null && known.applied && (await target.find(known.applied, { signal }))) ||
    (await target.find(wanted.document, { signal }))
  if (found) return linkTo(found, target, errand)
  return wanted.active ? create(target, errand) : absent('none')
}

const linkTo = async (found: RemoteAccount, target: Target, errand: Errand): Promise<Outcome> => {
  const { wanted, signal, link } = errand
  if (errand.isProtected(found)) return { kind: 'kept', state: 'protected', cause: PROTECTED_ACCOUNT }
  if (!(await link(found)))
    return {
      kind: 'failed',
      failure: {
        code: 'TARGET_TAKEN',
        detail: `account ${found.remoteId} belongs to another person with the same key`,
        retryable: false,
        retryAfterSeconds: undefined,
      },
      uncertain: false,
      sent: null,
    }
  if (!wanted.active && errand.leaver === 'delete') {
    await target.delete(found.remoteId, { signal })
    return absent('deleted')
  }
  return update(target, errand, { ...found, before: found.document, deed: wanted.active ? 'linked' : 'disabled' })
}

interface Update {
  readonly remoteId: string
  readonly before: AccountDocument | undefined
  readonly etag?: string | null | undefined
  readonly deed: Deed
}

const update = async (target: Target, { wanted, signal }: Errand, { remoteId, before, etag: version, deed }: Update): Promise<Outcome> => {
  try {
    const { etag } = await target.update(remoteId, wanted.document, { signal, before, etag: version })
    return { kind: 'applied', deed, remoteId, etag, document: wanted.document }
  } catch (error) {
    // whoever left must be switched off even if some other value of theirs is not taken
    if (wanted.active || !isCode(error, 'TARGET_REFUSED')) throw error
    const { etag } = await target.deactivate(remoteId, { signal, before, etag: version })
    return { kind: 'applied', deed, remoteId, etag, document: null }
  }
}
