import { Banner } from '@instep/ui/banner.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../api/use-problem-text.ts'
import { FormButtons } from './form-buttons.tsx'
import styles from './reason-dialog.module.css'

interface ReasonDialogProps {
  title: string
  /** What the button that gives the reason does, in words. */
  action: string
  /** It takes something away. */
  danger?: boolean
  /** What the reason is for, or who reads it. */
  hint?: string
  /** Letters at the most. */
  most?: number
  busy: boolean
  /** Why it could not be done; the reason stays as it was typed. */
  error?: Error | null
  /** Something that is asked for beside the reason is not there yet. */
  incomplete?: boolean
  onClose: () => void
  onGiven: (reason: string) => void
  /** What it means; told whether what is missing is to be pointed out. */
  children: ReactNode | ((asked: boolean) => ReactNode)
}

/** Asks for the reason of something before it is done. Draw it while it is open: what was typed goes with it. */
export function ReasonDialog({
  title,
  action,
  danger,
  hint,
  most = 1000,
  busy,
  error,
  incomplete,
  onClose,
  onGiven,
  children,
}: ReasonDialogProps) {
  const { t } = useTranslation('common')
  const problemText = useProblemText()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const reason = typed.trim()
  const give = () => {
    setAsked(true)
    if (reason !== '' && !incomplete) onGiven(reason)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      footer={<FormButtons label={action} danger={danger} busy={busy} onCancel={onClose} onSubmit={give} />}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          give()
        }}
      >
        {typeof children === 'function' ? children(asked) : children}
        <TextField
          label={t('reason')}
          hint={hint}
          required
          longest={most}
          error={asked && reason === '' ? t('enterValue', { value: t('reason').toLocaleLowerCase() }) : undefined}
          value={typed}
          onChange={setTyped}
        />
        {error && (
          <Banner tone="danger" boxed alert>
            {problemText(error)}
          </Banner>
        )}
      </form>
    </Dialog>
  )
}
