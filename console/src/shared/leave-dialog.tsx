import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { useTranslation } from 'react-i18next'
import type { useLeaveGuard } from './use-leave-guard.ts'

interface LeaveDialogProps {
  guard: ReturnType<typeof useLeaveGuard>
  /** Forgets what was typed, where it is kept. */
  discard?: (() => void) | undefined
}

/** Asks before what was typed is lost. */
export function LeaveDialog({ guard, discard }: LeaveDialogProps) {
  const { t } = useTranslation()
  const leave = () => {
    discard?.()
    guard.go()
  }
  return (
    <Dialog
      opened={guard.asking}
      onClose={guard.stay}
      title={t('leave.title')}
      footer={
        <>
          <Button size="form" onClick={leave}>
            {t('leave.leave')}
          </Button>
          <Button size="form" variant="primary" data-autofocus onClick={guard.stay}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}
