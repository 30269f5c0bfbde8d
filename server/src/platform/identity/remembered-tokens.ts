import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'

type Verify<Said> = (token: string) => Promise<Said>

/** So long a token that was verified is believed, in milliseconds: a key that its provider takes back is noticed this much later. */
const BELIEVED = 60_000
/** So many are remembered, a few hundred bytes each. */
const REMEMBERED = 10_000

/**
 * Remembers which tokens were found right, and what they say, for a minute and never beyond their end: a console asks many times with one token,
 * and to verify a signature takes longer than all else that is done about a call. What was refused is looked at afresh every time. Tokens
 * themselves are not kept, only their SHA-256. `exp`: seconds since 1970.
 */
export const rememberVerified = <Said extends { exp: number }>(verify: Verify<Said>, clock: Clock): Verify<Said> => {
  // in the order they were verified
  const known = new Map<string, { said: Said; until: number }>()
  return async (token) => {
    const digest = hash('sha256', token, 'base64')
    const now = clock.now().getTime()
    const remembered = known.get(digest)
    if (remembered && now < remembered.until) return remembered.said
    known.delete(digest)
    const said = await verify(token)
    const [oldest] = known.size < REMEMBERED ? [] : known.keys()
    if (oldest !== undefined) known.delete(oldest)
    known.set(digest, { said, until: Math.min(now + BELIEVED, said.exp * 1000) })
    return said
  }
}
