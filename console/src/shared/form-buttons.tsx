import { Button } from '@instep/ui/button.tsx'
import { useTranslation } from 'react-i18next'

interface FormButtonsProps {
  onCancel: () => void
  /** What the second button does in words: it saves unless something else is said. */
  label?: string | undefined
  /** It takes something away: Cancel has the focus first. */
  danger?: boolean | undefined
  busy?: boolean | undefined
  disabledReason?: string | null | undefined
  onSubmit: () => void
}

/** Cancel, and the button that does what a form or a question is about. */
export function FormButtons({ onCancel, label, danger = false, busy, disabledReason, onSubmit }: FormButtonsProps) {
  const { t } = useTranslation('common')
  return (
    <>
      <Button size="form" {...(danger && { 'data-autofocus': true })} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button size="form" variant={danger ? 'danger' : 'primary'} busy={busy} disabledReason={disabledReason} onClick={onSubmit}>
        {label ?? t('save')}
      </Button>
    </>
  )
}
