/** What a target looks like to provisioning: documents in, confirmed accounts out. Every implementation passes `describeTarget`. */
import type { UserFieldName } from '@instep/contract/user-fields.ts'

/** An account as the target should hold it, plain JSON; what it means is the target's own business. */
export type AccountDocument = Readonly<Record<string, unknown>>

/** What a document is made of: a person's effective values. */
export interface TargetUser {
  /** Instep's own id; targets that have no id of their own for an account know it by this one. */
  readonly userId?: string
  readonly fields: Readonly<Partial<Record<UserFieldName, string | null>>>
  readonly active: boolean
  readonly externalIdPrefix?: string | null
  /** The manager's account at this target, once it is known. */
  readonly managerRemoteId?: string | null
}

/** What the target confirmed. */
export interface AppliedAccount {
  readonly remoteId: string
  readonly etag: string | null
}

/** An account read from the target; `document` holds only what this product manages. */
export interface RemoteAccount extends AppliedAccount {
  readonly document: AccountDocument
}

export interface Call {
  /** Ends the request; the promise then rejects with TARGET_ABORTED. */
  readonly signal?: AbortSignal
}

export interface UpdateCall extends Call {
  /** What the target last confirmed (or what was just found there); absent = not known, everything is written. */
  readonly before?: AccountDocument | undefined
  /** The version of the account that `before` was; only that one is changed. Where it is another by now, the account is read and changed from there. */
  readonly etag?: string | null | undefined
}

export interface AccountPage {
  readonly accounts: readonly RemoteAccount[]
  readonly total: number
  /** Where the next page starts; null after the last. */
  readonly next: number | null
}

/** All methods throw ConnectorError and nothing else; which codes mean what is told in `problem.ts`. */
export interface Target {
  /** Documents name the manager's account: it should be there before, and its appearing is a change of the reports. */
  readonly namesManagers?: boolean
  /** Pure and deterministic: the same values give the same document, key order included. */
  documentOf(user: TargetUser): AccountDocument
  /** Whether the target answers with this address and token; `detail` is one technical line about it. */
  check(call?: Call): Promise<{ readonly detail: string }>
  /** The account that the document's key belongs to. TARGET_AMBIGUOUS when there are several. */
  find(document: AccountDocument, call?: Call): Promise<RemoteAccount | undefined>
  /** TARGET_EXISTS when the key is taken, TARGET_UNCERTAIN when it is not known whether the account is there now. */
  create(document: AccountDocument, call?: Call): Promise<AppliedAccount>
  /** Makes the account equal to the document. TARGET_GONE when it is not there. No request when `before` equals the document. */
  update(remoteId: string, document: AccountDocument, call?: UpdateCall): Promise<AppliedAccount>
  /** Switches the account off and leaves the rest. TARGET_GONE when it is not there. */
  deactivate(remoteId: string, call?: UpdateCall): Promise<AppliedAccount>
  /** Removes the account; one that is not there counts as removed. */
  delete(remoteId: string, call?: Call): Promise<void>
  /** A page of accounts from `startIndex` (1-based). TARGET_UNSUPPORTED where the target cannot be asked what it holds. */
  list(startIndex: number, call?: Call): Promise<AccountPage>
  /** Ends the connections; requests under way are ended. */
  close(): Promise<void>
}

/** A target's settings, taken apart as they are stored: plain properties and decrypted secrets. */
export type TargetProperties = Readonly<Record<string, unknown>>
export type TargetSecrets = Readonly<Record<string, string>>
