import type { AccountDocument } from '@instep/connectors/kit/target.ts'

/** What is known of an account before anything is asked. */
export interface KnownAccount {
  readonly remoteId: string | null
  /** What the target confirmed last; without a remote id: what was sent in a create whose answer never came. */
  readonly applied: AccountDocument | null
  readonly appliedHash: string | null
  /** The version of the account that `applied` was confirmed for, where the target tells versions. */
  readonly etag?: string | null
  /** An act may have been carried out without our knowing. */
  readonly uncertain: boolean
}

/** What the target should hold for the person as it is now. */
export interface WantedAccount {
  readonly document: AccountDocument
  readonly hash: string
  readonly active: boolean
}

export type Step =
  | { readonly act: 'nothing' }
  | { readonly act: 'create' }
  /** Look the account up by its key, then go on with what is found. */
  | { readonly act: 'find' }
  | { readonly act: 'update'; readonly remoteId: string; readonly before: AccountDocument | undefined }
  | { readonly act: 'delete'; readonly remoteId: string }

/**
 * The first thing to do for an account. Nobody gets an account only to have it switched off; after an act whose answer never came, the
 * account is looked up before it could be made twice, and written whole because what it holds is not known.
 *
 * @param leaver what becomes of the accounts of people who are not active
 */
export const firstStep = (known: KnownAccount, wanted: WantedAccount, leaver: 'disable' | 'delete'): Step => {
  if (known.remoteId === null) {
    if (known.uncertain) return { act: 'find' }
    return wanted.active ? { act: 'create' } : { act: 'nothing' }
  }
  if (!wanted.active && leaver === 'delete') return { act: 'delete', remoteId: known.remoteId }
  if (known.uncertain) return { act: 'update', remoteId: known.remoteId, before: undefined }
  if (known.appliedHash === wanted.hash) return { act: 'nothing' }
  return { act: 'update', remoteId: known.remoteId, before: known.applied ?? undefined }
}
