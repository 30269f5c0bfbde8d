/** What a session needs of the browser. Tests hand in their own. */
export interface SessionBrowser {
  origin: string
  isSecureContext: boolean
  /** sessionStorage: ends with the tab, is not shared with others. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  goTo(url: string): void
  /** Changes the address bar without loading. */
  replaceAddress(path: string): void
  /** Calls back once; returns how to cancel. */
  setTimer(callback: () => void, milliseconds: number): () => void
  /** Opens a hidden frame and passes on what its own page posts to us; returns how to close it. */
  openFrame(url: string, onMessage: (data: unknown) => void): () => void
}

const openFrame: SessionBrowser['openFrame'] = (url, onMessage) => {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Instep'
  const listen = (event: MessageEvent<unknown>) => {
    if (event.origin === window.location.origin && event.source === frame.contentWindow) onMessage(event.data)
  }
  window.addEventListener('message', listen)
  frame.src = url
  document.body.append(frame)
  return () => {
    window.removeEventListener('message', listen)
    frame.remove()
  }
}

/** The browser that the console runs in. */
export const thisBrowser = (): SessionBrowser => ({
  origin: window.location.origin,
  isSecureContext: window.isSecureContext,
  storage: window.sessionStorage,
  fetch: (input, init) => window.fetch(input, init),
  now: () => Date.now(),
  goTo: (url) => window.location.assign(url),
  replaceAddress: (path) => window.history.replaceState(window.history.state, '', path),
  setTimer: (callback, milliseconds) => {
    const timer = window.setTimeout(callback, milliseconds)
    return () => window.clearTimeout(timer)
  },
  openFrame,
})
