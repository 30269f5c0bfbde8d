import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { useTranslation } from 'react-i18next'

interface LeaveDialogProps {
  opened: boolean
  onStay: () => void
  onLeave: () => void
}

/** Asks before what was typed is lost. */
export function LeaveDialog({ opened, onStay, onLeave }: LeaveDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      opened={opened}
      onClose={onStay}
      title={t('leave.title')}
      footer={
        <>
          <Button size="form" onClick={onLeave}>
            {t('leave.leave')}
          </Button>
          <Button size="form" variant="primary" data-autofocus onClick={onStay}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}
