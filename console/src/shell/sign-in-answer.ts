let answer: string | null = null

/** The address the identity provider returned to, taken out of the address bar before anything else runs, and handed out once. */
export const signInAnswer = {
  /** Keeps and hides the answer if this is the return from signing in. */
  catch: (): void => {
    if (window.location.pathname !== '/auth/callback') return
    answer = window.location.href
    window.history.replaceState(null, '', '/auth/callback')
  },
  take: (): string | null => {
    const taken = answer
    answer = null
    return taken
  },
}
