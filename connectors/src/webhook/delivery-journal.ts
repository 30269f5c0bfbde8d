/** What a webhook remembers of each person, so that an event is the same one however often it is sent. */
import type { AccountDocument } from '../kit/target.ts'

export const EVENT_TYPES = ['account.created', 'account.updated', 'account.disabled', 'account.enabled', 'account.deleted'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** An event as it is sent, to the letter. */
export interface Message {
  readonly id: string
  /** Grows by one with every event of the person; a later event has the larger one. */
  readonly sequence: number
  readonly type: EventType
  /** What the receiver should know after it; null when the account is gone. */
  readonly document: AccountDocument | null
  readonly body: string
}

export interface Deliveries {
  /** Of the last event that was begun. */
  readonly sequence: number
  /** Of the last event that the receiver took; 0 before the first. */
  readonly acknowledged: number
  /** What the receiver took last; null while it took nothing, and after it took that the account is gone. */
  readonly document: AccountDocument | null
  /** Begun, and not taken so far: the receiver may know it or not. */
  readonly underWay: Message | null
}

/** Kept outside of the process; every method is one act that is there or not. */
export interface DeliveryJournal {
  read(userId: string): Promise<Deliveries | undefined>
  /** Written before the event is sent; in place of one under way. False when another event was begun since `after`. */
  begin(userId: string, message: Message, after: number): Promise<boolean>
  /** The receiver took the event. An event that another one has replaced meanwhile counts as not taken. */
  acknowledge(userId: string, message: Message): Promise<void>
}
