import { getOverview } from '@instep/contract/dashboard.ts'
import { allowDates, type DateHold } from '@instep/contract/date-holds.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import styles from './dashboard.module.css'

/** End dates that wait, because more people would be deactivated than usual; each is let go with a reason. */
export function HeldDates({ holds }: { holds: readonly DateHold[] }) {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  const [deciding, setDeciding] = useState<DateHold | null>(null)
  if (holds.length === 0) return null
  return (
    <div className={styles.held}>
      {holds.map((hold) =>
        hold.allowed ? (
          <Banner key={hold.connectorId} tone="plain" boxed>
            {t('dates.allowed', { connector: hold.connectorName })}
          </Banner>
        ) : (
          <Banner key={hold.connectorId} tone="warn" boxed actions={<Button onClick={() => setDeciding(hold)}>{t('dates.decide')}</Button>}>
            {t('dates.text', { count: hold.ending, amount: number(hold.ending), connector: hold.connectorName })}
          </Banner>
        ),
      )}
      {deciding && <AllowDialog hold={deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

function AllowDialog({ hold, onClose }: { hold: DateHold; onClose: () => void }) {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  const cache = useQueryClient()
  const allow = useAction(allowDates, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('dates.done') })
      onClose()
      return cache.invalidateQueries({ queryKey: endpointKey(getOverview) })
    },
  })
  return (
    <ReasonDialog
      title={t('dates.title')}
      action={t('dates.allow')}
      danger
      hint={t('dates.reasonHint')}
      busy={allow.isPending}
      error={allow.error}
      onClose={onClose}
      onGiven={(reason) => allow.mutate({ params: { connectorId: hold.connectorId }, body: { reason } })}
    >
      <p>{t('dates.effect', { count: hold.ending, amount: number(hold.ending) })}</p>
    </ReasonDialog>
  )
}
