/** What a target's groups look like to provisioning: documents in, confirmed groups and members out. Every implementation passes `describeGroupTarget`. */
import type { AppliedAccount, Call, Target } from './target.ts'

export const GROUP_PRIVACIES = ['open', 'closed', 'secret'] as const
export const POST_PERMISSIONS = ['members', 'admins'] as const

/** A group as it should be. A target passes over what it has no place for. */
export interface WantedGroup {
  /** Stays the same whatever the group is called. */
  readonly externalId: string
  readonly name: string
  readonly description?: string | undefined
  /** `open`: anybody may join; `closed`: seen by all, joined by members only; `secret`: seen by its members only. */
  readonly privacy?: (typeof GROUP_PRIVACIES)[number] | undefined
  /** Who may post in it. */
  readonly postPermission?: (typeof POST_PERMISSIONS)[number] | undefined
  /** Accounts (remote ids) that look after it. */
  readonly admins?: readonly string[] | undefined
}

/** A group as the target should hold it without its members, plain JSON; what it means is the target's own business. */
export type GroupDocument = Readonly<Record<string, unknown>>

/** A group read from the target; `document` holds only what this product manages. */
export interface RemoteGroup extends AppliedAccount {
  readonly document: GroupDocument
}

export interface GroupUpdateCall extends Call {
  /** What the target last confirmed; absent = not known, everything is written. */
  readonly before?: GroupDocument | undefined
}

/** All methods throw ConnectorError and nothing else; codes as in `problem.ts`. Members are accounts, by their remote ids. */
export interface GroupTarget {
  /** Members in one call at most. */
  readonly chunk: number
  /** Pure and deterministic. */
  documentOf(group: WantedGroup): GroupDocument
  /** The group of the document's name, whatever its case. TARGET_AMBIGUOUS when there are several. */
  find(document: GroupDocument, call?: Call): Promise<RemoteGroup | undefined>
  /** Makes a group without members. TARGET_EXISTS when the name is taken, TARGET_UNCERTAIN when it is not known whether it is there now. */
  create(document: GroupDocument, call?: Call): Promise<AppliedAccount>
  /** Makes the group equal to the document and leaves its members. TARGET_GONE when it is not there. No request when `before` equals it. */
  update(remoteId: string, document: GroupDocument, call?: GroupUpdateCall): Promise<AppliedAccount>
  /** Removes the group; one that is not there counts as removed. */
  delete(remoteId: string, call?: Call): Promise<void>
  /** Adds at most `chunk` accounts; those who are members stay. TARGET_GONE when the group is not there, TARGET_REFUSED when one is no account. */
  addMembers(remoteId: string, accounts: readonly string[], call?: Call): Promise<void>
  /** Takes out at most `chunk` accounts; those who are no members do no harm. TARGET_GONE when the group is not there. */
  removeMembers(remoteId: string, accounts: readonly string[], call?: Call): Promise<void>
  /** All members. TARGET_GONE when the group is not there. */
  members(remoteId: string, call?: Call): Promise<readonly string[]>
}

/** A target that has groups beside its accounts. */
export interface GroupingTarget extends Target {
  readonly groups: GroupTarget
}

/** The groups of a target; undefined where it has none. */
export const groupsOf = (target: Target): GroupTarget | undefined => (target as Partial<GroupingTarget>).groups
