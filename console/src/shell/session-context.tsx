import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import type { Session, SessionState } from '../session/create-session.ts'

const Given = createContext<Session | null>(null)

interface SessionProviderProps {
  session: Session
  children: ReactNode
}

/** Gives the session to everything below. */
export function SessionProvider({ session, children }: SessionProviderProps) {
  return <Given value={session}>{children}</Given>
}

/** The session: signing in and out. */
export const useSession = (): Session => {
  const session = useContext(Given)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}

/** Whether someone is signed in, as it changes. */
export const useSessionState = (): SessionState => {
  const session = useSession()
  return useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state,
  )
}
