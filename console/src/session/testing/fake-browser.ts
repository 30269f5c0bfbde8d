import type { SessionBrowser } from '../session-browser.ts'

/** A browser for tests: the address, the storage and the timers are in the test's hands. */
export interface FakeBrowser extends SessionBrowser {
  /** Every address it left for. */
  left: string[]
  /** What stood in the address bar, latest last. */
  addresses: string[]
  /** Every request made. */
  requested: string[]
  storage: Storage
  /** Moves the time and runs what is due. */
  advance(milliseconds: number): void
  /** What a frame of an address posts, by a function of the address; `undefined` posts nothing. */
  frame: (url: string) => unknown
}

const memoryStorage = (): Storage => {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (index) => [...values.keys()][index] ?? null,
    removeItem: (key) => {
      values.delete(key)
    },
    setItem: (key, value) => {
      values.set(key, value)
    },
  }
}

/** @param answer what the network answers to a request */
export const createFakeBrowser = (answer: (url: string, init?: RequestInit) => Response | Promise<Response>): FakeBrowser => {
  let time = Date.now()
  let timers: { at: number; callback: () => void }[] = []
  const browser: FakeBrowser = {
    origin: 'https://console.example',
    isSecureContext: true,
    storage: memoryStorage(),
    left: [],
    addresses: [],
    requested: [],
    frame: () => undefined,
    fetch: async (input, init) => {
      browser.requested.push(String(input))
      return await answer(String(input), init)
    },
    now: () => time,
    goTo: (url) => {
      browser.left.push(url)
    },
    replaceAddress: (path) => {
      browser.addresses.push(path)
    },
    setTimer: (callback, milliseconds) => {
      const timer = { at: time + milliseconds, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    openFrame: (url, onMessage) => {
      const posted = browser.frame(url)
      if (posted !== undefined) queueMicrotask(() => onMessage(posted))
      return () => {}
    },
    advance: (milliseconds) => {
      time += milliseconds
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { callback } of due) callback()
    },
  }
  return browser
}
