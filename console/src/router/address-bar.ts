/** Where the console is. */
export interface Place {
  pathname: string
  /** The part after "?", name → text; the same object as long as it says the same. */
  search: Readonly<Record<string, string>>
  /** Path, search and fragment. */
  href: string
}

/** Asked before the place is left: answers true to hold it, and may call `proceed` later to leave after all. */
export type Hold = (proceed: () => void) => boolean

export interface AddressBar {
  place: () => Place
  push: (href: string) => void
  /** Leaves no step in the history. */
  replace: (href: string) => void
  subscribe: (listener: () => void) => () => void
  /** Asks before every change of place, the browser's way back included; returns how to stop asking. */
  holdWith: (hold: Hold) => () => void
}

const readPlace = ({ pathname, search, hash }: Location, before?: Place): Place => {
  const entries = Object.fromEntries(new URLSearchParams(search))
  const same = before && JSON.stringify(before.search) === JSON.stringify(entries)
  return { pathname, search: same ? before.search : entries, href: `${pathname}${search}${hash}` }
}

/**
 * The address bar of a window as state. Every step of the history carries its number, so that a way back that is held can be taken back
 * by as many steps: the browser tells of it only when it has gone.
 */
export const createAddressBar = (browser: Pick<Window, 'history' | 'location' | 'addEventListener'>): AddressBar => {
  const { history, location } = browser
  const stepOf = (state: unknown): number | undefined => (state as { step?: number } | null)?.step
  let step = stepOf(history.state) ?? 0
  let place = readPlace(location)
  /** What the next step of the browser is: our own going back after a hold, or a way that has been allowed. */
  let expected: 'undone' | 'allowed' | null = null
  const listeners = new Set<() => void>()
  const holds = new Set<Hold>()

  const arrive = (at: number): void => {
    step = at
    place = readPlace(location, place)
    for (const listener of listeners) listener()
  }
  const held = (proceed: () => void): boolean => [...holds].some((hold) => hold(proceed))
  const change = (how: 'pushState' | 'replaceState', href: string, at: number): void => {
    const proceed = () => {
      history[how]({ step: at }, '', href)
      arrive(at)
    }
    if (!held(proceed)) proceed()
  }

  history.replaceState({ step }, '')
  browser.addEventListener('popstate', (event) => {
    const was = expected
    expected = null
    if (was === 'undone') return
    // a fragment typed by hand has no number: it is a step ahead
    const to = stepOf(event.state) ?? step + 1
    const by = to - step
    const proceed = () => {
      expected = 'allowed'
      history.go(by)
    }
    if (was === 'allowed' || by === 0 || !held(proceed)) return arrive(to)
    expected = 'undone'
    history.go(-by)
  })

  return {
    place: () => place,
    push: (href) => change('pushState', href, step + 1),
    replace: (href) => change('replaceState', href, step),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    holdWith: (hold) => {
      holds.add(hold)
      return () => holds.delete(hold)
    },
  }
}
