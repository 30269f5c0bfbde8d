import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'

/** What a list is asked for: with a search or a condition the people themselves have to be read to tell who fits. */
interface Asked {
  readonly searchText?: string | null | undefined
  readonly filters?: unknown
}

/** Runs the reading of a list when its turn comes. */
export type ListLanes = <T>(asked: Asked, read: () => Promise<T>) => Promise<T>

/**
 * Lets a few lists be read at one time and the others wait in the order they came: twenty statements on two cores all end late, and the database's
 * processes starve the server's. A list that looks for people can take a hundred times as long as one that is merged from ranges, so each kind
 * waits behind its own only. `places` of either, by default two for each core.
 */
export const createListLanes = (places: number = 2 * availableParallelism()): ListLanes => {
  const merged = pLimit(places)
  const looking = pLimit(places)
  return ({ searchText, filters }, read) => (searchText || filters ? looking : merged)(read)
}
