import { Button } from '@instep/ui/button.tsx'
import { ModalLayer } from '@instep/ui/modal-layer.tsx'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './expired-dialog.module.css'
import { expiredSignal } from './expired-signal.ts'
import { here } from './here.ts'
import { useSession } from './session-context.tsx'

/** Says that the session has expired as soon as a call was refused for it, above whatever is open, and offers to sign in again. */
export function ExpiredDialog() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const expired = useSyncExternalStore(expiredSignal.subscribe, expiredSignal.get)
  if (!expired) return null
  const later = () => expiredSignal.set(false)
  return (
    <ModalLayer label={t('expired.title')} onClose={later}>
      <div className={styles.content} role="alert">
        <h2>{t('expired.title')}</h2>
        <p>{t('expired.text')}</p>
        <div className={styles.actions}>
          <Button size="form" onClick={later}>
            {t('expired.later')}
          </Button>
          <Button size="form" variant="primary" data-autofocus onClick={() => void session.signIn(here())}>
            {t('expired.signIn')}
          </Button>
        </div>
      </div>
    </ModalLayer>
  )
}
