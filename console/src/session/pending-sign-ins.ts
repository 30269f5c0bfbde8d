import type { RequestSecrets } from './flow.ts'
import type { SessionBrowser } from './session-browser.ts'

/** A sign-in that was started in this tab and waits for its answer. */
export interface PendingSignIn {
  secrets: RequestSecrets
  returnTo: string
  startedAt: number
}

const PREFIX = 'instep.signin.'
const KEEP_MS = 3_600_000

const random = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Draws what one request needs, 256 bits each. */
export const drawSecrets = (): RequestSecrets => ({ state: random(), nonce: random(), verifier: random() })

const parse = (text: string | null): PendingSignIn | undefined => {
  try {
    return text === null ? undefined : (JSON.parse(text) as PendingSignIn)
  } catch {
    return undefined
  }
}

/** Remembers a sign-in under its `state`, and forgets those that were given up. */
export const rememberSignIn = ({ storage, now }: SessionBrowser, pending: PendingSignIn): void => {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) => key.startsWith(PREFIX))
  for (const key of keys) {
    const known = parse(storage.getItem(key))
    if (known === undefined || now() - known.startedAt > KEEP_MS) storage.removeItem(key)
  }
  storage.setItem(PREFIX + pending.secrets.state, JSON.stringify(pending))
}

/** Takes the sign-in that belongs to a `state`; each can be taken once. */
export const takeSignIn = ({ storage, now }: SessionBrowser, state: string): PendingSignIn | undefined => {
  const pending = parse(storage.getItem(PREFIX + state))
  storage.removeItem(PREFIX + state)
  return pending !== undefined && now() - pending.startedAt <= KEEP_MS ? pending : undefined
}
