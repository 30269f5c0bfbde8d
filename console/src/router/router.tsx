import { createContext, type ReactNode, startTransition, useCallback, useContext, useEffect, useState } from 'react'
import type { Audience } from '../shell/navigation.ts'
import type { AddressBar, Place } from './address-bar.ts'
import type { LazyPage } from './lazy-page.ts'
import { type Match, matchRoute } from './match-route.ts'

/** A page, its address, and who may open it. */
export interface Route {
  /** Parts that differ are named: `/runs/$runId`. */
  path: string
  page: LazyPage
  /** Who may open the page; absent admits everyone signed in. */
  audience?: Audience
  /** Administrators below tenant level open it only where they have a site. */
  needsSites?: boolean
  /** For who is not signed in as well, and without the console around it. */
  outside?: boolean
}

interface Routing {
  addressBar: AddressBar
  routes: readonly Route[]
  place: Place
  match: Match<Route> | null
}

const Given = createContext<Routing | null>(null)

interface RouterProps {
  addressBar: AddressBar
  routes: readonly Route[]
  children: ReactNode
}

/** Keeps what is below in step with the address. A page stays on screen until the code and the words of the next one are there. */
export function Router({ addressBar, routes, children }: RouterProps) {
  const [place, setPlace] = useState(addressBar.place)
  useEffect(() => {
    let shown = ''
    const follow = () => {
      const next = addressBar.place()
      const samePage = next.pathname === shown
      shown = next.pathname
      if (samePage) setPlace(next)
      else startTransition(() => setPlace(next))
    }
    follow()
    return addressBar.subscribe(follow)
  }, [addressBar])
  return <Given value={{ addressBar, routes, place, match: matchRoute(routes, place.pathname) }}>{children}</Given>
}

const useRouting = (): Routing => {
  const routing = useContext(Given)
  if (!routing) throw new Error('Router is missing')
  return routing
}

/** Where the console is. */
export const usePlace = (): Place => useRouting().place

/** The parts of the address that the route names; empty where it does not have them. */
export const useParams = <Name extends string>(): Partial<Readonly<Record<Name, string>>> =>
  (useRouting().match?.params ?? {}) as Partial<Record<Name, string>>

/** The route of the address; null where it leads nowhere. */
export const useRoute = (): Route | null => useRouting().match?.route ?? null

export const useAddressBar = (): AddressBar => useRouting().addressBar

/** Fetches the page of an address, `/users?search=a`, before it is opened. */
export const useFetchAhead = (): ((href: string) => Promise<void> | undefined) => {
  const { routes } = useRouting()
  return useCallback((href) => matchRoute(routes, href.replace(/[?#].*/, ''))?.route.page.fetchAhead(), [routes])
}
