import { buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { useGo } from '../shared/use-go.ts'
import styles from './page-frame.module.css'
import { useSession } from './session-context.tsx'
import { signInAnswer } from './sign-in-answer.ts'

/** The return from the identity provider: finishes signing in and goes back to the remembered address. */
export function CallbackPage() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const go = useGo()
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const address = signInAnswer.take()
    // loaded again by hand: what was to be finished is over, or failed before
    if (!address) return signInAnswer.taken() ? undefined : go(paths.dashboard(), { replace: true })
    session.completeSignIn(address).then(
      ({ returnTo }) => go(returnTo, { replace: true }),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [session, go])
  if (!failure) return <Loader label={t('gate.loading')} />
  const again = (
    <a className={buttonClass('primary', 'form')} href={paths.dashboard()}>
      {t('gate.signIn')}
    </a>
  )
  return (
    <main className={styles.middle}>
      <EmptyState
        page
        alert
        title={t('gate.failed')}
        text={
          <>
            <p>{t('gate.failedText')}</p>
            <p className="mono">
              <bdi>{failure}</bdi>
            </p>
          </>
        }
        actions={again}
      />
    </main>
  )
}
