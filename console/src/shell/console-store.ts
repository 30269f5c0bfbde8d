import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { throttledStorage } from '../shared/throttled-storage.ts'

export type Theme = 'light' | 'dark' | 'system'
type Density = 'standard' | 'comfortable'

/** An opened page. `title` is null while the page has not named itself; then the name of its route stands there. */
export interface OpenTab {
  key: string
  href: string
  title: string | null
}

/** The home tab; the only one at first. */
export const HOME_TAB = 'mesh'

interface ConsoleState {
  /** `en_GB`. */
  language: string
  theme: Theme
  density: Density
  collapsed: boolean
  subMenuOpen: boolean
  tabs: OpenTab[]
  activeRoute: string
  tenantId: string | null
  siteId: string | null
  /** Columns of the people list as they were chosen last; null until then. */
  peopleColumns: string[] | null
}

interface ConsoleStore extends ConsoleState {
  set: (change: Partial<ConsoleState>) => void
}

/** How often the state is written at most, in milliseconds. */
const WRITE_EVERY = 1000

const storage = throttledStorage<ConsoleState>(window.localStorage, WRITE_EVERY)
window.addEventListener('pagehide', storage.flush)

const browserLanguage = (): string => (navigator.language.toLowerCase().startsWith('fr') ? 'fr_FR' : 'en_GB')

/** What the console remembers between visits, under the one key `instep`. */
export const useConsole = create<ConsoleStore>()(
  persist(
    (set) => ({
      language: browserLanguage(),
      theme: 'system',
      density: 'standard',
      collapsed: false,
      subMenuOpen: true,
      tabs: [{ key: HOME_TAB, href: '/', title: null }],
      activeRoute: 'dashboard',
      tenantId: null,
      siteId: null,
      peopleColumns: null,
      set,
    }),
    { name: 'instep', version: 1, storage, partialize: ({ set, ...state }) => state },
  ),
)

/** Works in another tenant from now on. What was open belongs to the old one and closes. */
export const workIn = (tenantId: string): void =>
  useConsole.getState().set({ tenantId, siteId: null, tabs: [{ key: HOME_TAB, href: '/', title: null }] })
