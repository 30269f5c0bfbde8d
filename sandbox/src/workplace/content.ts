/** What people wrote at one company's workplace: posts in groups, messages, posts about shifts. */
import { randomUUID } from 'node:crypto'
import type { Journal } from '../journal.ts'
import type { Directory } from './directory.ts'

export const CONTENT_PLACES = ['posts', 'messages', 'shift-posts'] as const
export type ContentPlace = (typeof CONTENT_PLACES)[number]

export interface Item {
  readonly id: string
  readonly authorId: string
  /** Null for a message. */
  readonly groupId: string | null
  readonly text: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/** What somebody asks to be written. `createdAt` lets a test write in the past. */
export interface Draft {
  readonly authorId?: unknown
  readonly groupId?: unknown
  readonly text?: unknown
  readonly createdAt?: unknown
}

export interface ItemQuery {
  readonly author?: string | undefined
  readonly before?: string | undefined
  /** Ends the page before; items are listed by time and id. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Says why a draft is not taken. */
export class ContentRefusal extends Error {}

export interface Content {
  list(place: ContentPlace, query: ItemQuery): { items: Item[]; next: string | null }
  /** With an id what stands there is replaced; it keeps its time. Throws ContentRefusal. */
  write(place: ContentPlace, draft: Draft, id?: string): Item
  /** False when it is not there. */
  remove(place: ContentPlace, id: string): boolean
}

const keyOf = (item: Item): string => `${item.createdAt} ${item.id}`

const read = (directory: Directory, place: ContentPlace, { authorId, groupId, text, createdAt }: Draft) => {
  if (typeof authorId !== 'string' || !directory.users.get(authorId))
    throw new ContentRefusal('authorId must be an account of this workplace.')
  if (typeof text !== 'string' || text.trim() === '') throw new ContentRefusal('text must say something.')
  if (place === 'messages') return { authorId, groupId: null, text, createdAt }
  if (typeof groupId !== 'string' || !directory.groups.get(groupId)) throw new ContentRefusal('groupId must be a group of this workplace.')
  return { authorId, groupId, text, createdAt }
}

/** Opens one company's content as the journal remembers it. */
export const openContent = (company: string, directory: Directory, world: { journal: Journal; now: () => Date }): Content => {
  const { journal, now } = world
  const collection = (place: ContentPlace) => `${company}/${place}`
  const places = new Map(CONTENT_PLACES.map((place) => [place, new Map([...journal.read(collection(place))] as [string, Item][])] as const))
  const itemsOf = (place: ContentPlace): Map<string, Item> => places.get(place) ?? new Map()
  return {
    list: (place, { author, before, after, limit }) => {
      const fitting = [...itemsOf(place).values()]
        .filter((item) => (author === undefined || item.authorId === author) && (before === undefined || item.createdAt < before))
        .filter((item) => after === undefined || keyOf(item) > after)
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      const items = fitting.slice(0, limit)
      const last = items.at(-1)
      return { items, next: last && fitting.length > items.length ? keyOf(last) : null }
    },
    write: (place, draft, id = randomUUID()) => {
      const { createdAt, ...said } = read(directory, place, draft)
      const stated = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt)) ? new Date(createdAt) : now()
      const item: Item = { id, ...said, createdAt: itemsOf(place).get(id)?.createdAt ?? stated.toISOString() }
      journal.put(collection(place), id, item)
      itemsOf(place).set(id, item)
      return item
    },
    remove: (place, id) => {
      if (!itemsOf(place).delete(id)) return false
      journal.remove(collection(place), id)
      return true
    },
  }
}
