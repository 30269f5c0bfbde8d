let answer: string | null = null
let taken = false

/** The address the identity provider returned to, taken out of the address bar before anything else runs, and handed out once. */
export const signInAnswer = {
  /** Keeps and hides the answer if this is the return from signing in. */
  catch: (): void => {
    if (window.location.pathname !== '/auth/callback') return
    answer = window.location.href
    window.history.replaceState(null, '', '/auth/callback')
  },
  take: (): string | null => {
    const given = answer
    taken ||= given !== null
    answer = null
    return given
  },
  /** Whether it was handed out since the page was loaded. */
  taken: (): boolean => taken,
}
