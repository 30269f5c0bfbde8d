/** What people write at a workplace, as far as other features need it: to be listed and deleted (data compliance), and posts about shifts. */
import type { Call } from './target.ts'

export const CONTENT_KINDS = ['post', 'message', 'shiftPost'] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

/** Something that was written. Ids are the workplace's own. */
export interface ContentItem {
  readonly kind: ContentKind
  readonly id: string
  /** The account that wrote it. */
  readonly authorId: string
  /** Where a post stands; null for a message. */
  readonly groupId: string | null
  readonly text: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

export interface ContentQuery {
  readonly kind: ContentKind
  /** Only what this account wrote. */
  readonly authorId?: string | undefined
  /** Only what was written before. */
  readonly before?: Date | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

export interface ContentPage {
  readonly items: readonly ContentItem[]
  /** Where the next page begins; null after the last. Deleting items of a page does not shift the next one. */
  readonly next: string | null
}

/** A post about a shift in a group. */
export interface ShiftPost {
  /** Our own id: publishing the same one again changes what stands there and makes no second. */
  readonly externalId: string
  readonly groupId: string
  readonly authorId: string
  readonly text: string
}

/** All methods throw ConnectorError and nothing else; codes as in `problem.ts`. */
export interface WorkplaceContent {
  /** A page of what was written, oldest first. */
  list(query: ContentQuery, call?: Call): Promise<ContentPage>
  /** Deletes for good; what is not there counts as deleted. */
  delete(item: Pick<ContentItem, 'kind' | 'id'>, call?: Call): Promise<void>
  /** Publishes or changes a shift post and answers its id. TARGET_REFUSED when group or author are not there. */
  publishShift(post: ShiftPost, call?: Call): Promise<string>
}
