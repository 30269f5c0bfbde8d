import { Loader } from '@instep/ui/loader.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from './session-context.tsx'

/** Starts signing out. */
export function LogoutPage() {
  const { t } = useTranslation('shell')
  const session = useSession()
  useEffect(() => {
    void session.signOut()
  }, [session])
  return <Loader label={t('gate.signingOut')} />
}
