import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ExpiredDialog } from './expired-dialog.tsx'
import { here } from './here.ts'
import { useSession, useSessionState } from './session-context.tsx'

interface SessionGateProps {
  children: ReactNode
}

/**
 * Lets in who is signed in. While the session loads a loader is shown; without a user signing in starts and the address is remembered. Who was
 * in stays in when the session ends, so that nothing typed is lost: calls are then refused and `ExpiredDialog` offers to sign in again.
 */
export function SessionGate({ children }: SessionGateProps) {
  const { t } = useTranslation('shell')
  const session = useSession()
  const { kind } = useSessionState()
  const [wasIn, setWasIn] = useState(false)
  const [failed, setFailed] = useState(false)
  if (kind === 'signedIn' && !wasIn) setWasIn(true)
  const outside = kind === 'signedOut' && !wasIn && !failed

  useEffect(() => {
    if (outside) session.signIn(here()).catch(() => setFailed(true))
  }, [outside, session])

  if (failed) {
    return (
      <EmptyState
        page
        alert
        title={t('gate.startFailed')}
        text={t('gate.startFailedText')}
        actions={<Button onClick={() => setFailed(false)}>{t('common:tryAgain')}</Button>}
      />
    )
  }
  if (!wasIn) return <Loader label={t('gate.loading')} />
  return (
    <>
      {children}
      <ExpiredDialog />
    </>
  )
}
