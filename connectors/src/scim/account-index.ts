/** Which keys are taken at a target, so that a first load need not ask for every single account. */
export interface AccountIndex {
  /** Whether the key is taken; asked at the target until so many were asked for that reading all accounts once is cheaper. */
  isTaken(key: string, call: { readonly signal?: AbortSignal | undefined }): Promise<boolean>
  /** An account with this key is there now. */
  add(key: string): void
}

interface KeyPage {
  readonly keys: readonly string[]
  readonly ids: readonly string[]
  readonly total: number
  readonly next: number | null
}

interface AccountKeys {
  /** Looks one key up at the target. */
  find(key: string, signal: AbortSignal | undefined): Promise<boolean>
  /** The accounts of a page and their keys, how many there are in all, and where the next page starts (null after the last). */
  page(startIndex: number): Promise<KeyPage>
  fold(key: string): string
  readonly now: () => Date
}

/** So many are looked up one by one before all are read. */
const SINGLE = 50
/** More than this is not held in memory. */
const MOST = 500_000
/** Others make accounts too: after this time they are read again. */
const LIFE_MS = 10 * 60_000

/** Reads every page; undefined where there are too many, or the pages are not all: some targets answer the first one again and again. */
const readAll = async ({ page, fold }: AccountKeys): Promise<Set<string> | undefined> => {
  const keys = new Set<string>()
  const ids = new Set<string>()
  let read = 0
  let next: number | null = 1
  while (next !== null) {
    const found: KeyPage = await page(next)
    if (found.total > MOST) return undefined
    for (const key of found.keys) keys.add(fold(key))
    for (const id of found.ids) ids.add(id)
    read += found.ids.length
    next = found.next
    if (ids.size < read || (next === null && read < found.total)) return undefined
  }
  return keys
}

/** An index that is filled when it pays. Where the target cannot be paged through, every key is looked up. */
export const createAccountIndex = (target: AccountKeys): AccountIndex => {
  const { find, fold, now } = target
  let asked = 0
  let until = 0
  let all: Promise<Set<string> | undefined> | undefined
  const known = (): Promise<Set<string> | undefined> => {
    if (all && now().getTime() < until) return all
    until = now().getTime() + LIFE_MS
    all = readAll(target).catch(() => undefined)
    return all
  }
  return {
    isTaken: async (key, { signal }) => {
      asked += 1
      const keys = asked > SINGLE ? await known() : undefined
      return keys ? keys.has(fold(key)) : find(key, signal)
    },
    add: (key) => {
      // also while the pages are being read
      void all?.then((keys) => keys?.add(fold(key)))
    },
  }
}
