/** Where a manual target keeps what people are asked to do. */
import type { AccountDocument } from '../kit/target.ts'

/** `create`: there is none yet; `disable` and `enable`: it is switched, whatever else changes; `delete`: it goes. */
export type TaskKind = 'create' | 'update' | 'disable' | 'enable' | 'delete'

/** An account as somebody ticked it off last. */
export interface ConfirmedAccount {
  readonly userId: string
  readonly remoteId: string
  readonly document: AccountDocument
}

export interface Task {
  readonly userId: string
  readonly kind: TaskKind
  /** What is wanted; null for an account that goes. */
  readonly document: AccountDocument | null
  readonly confirmed: ConfirmedAccount | undefined
}

export interface TaskBoard {
  confirmed(account: { readonly userId: string } | { readonly remoteId: string }): Promise<ConfirmedAccount | undefined>
  /** Opens the account's task, or rewords the open one; the same again changes nothing. */
  ask(task: Task): Promise<void>
  /** Withdraws open tasks of accounts that need nothing any more. */
  settle(): Promise<void>
}
