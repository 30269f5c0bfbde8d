import type { ClaimField } from '@instep/contract/settings.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { withoutAttribute } from './attributes.rules.ts'
import styles from './settings.module.css'
import { useSaveAttributes } from './use-save-attributes.ts'

interface RemoveAttributeProps {
  fields: readonly ClaimField[]
  /** The one to remove; null closes the question. */
  attribute: ClaimField | null
  onClose: () => void
}

/** Asks before a custom attribute goes. */
export function RemoveAttribute({ fields, attribute, onClose }: RemoveAttributeProps) {
  const { t } = useTranslation(['settings', 'common'])
  const problemText = useProblemText()
  const save = useSaveAttributes()
  const [error, setError] = useState<unknown>(null)
  // the question keeps its words while it fades
  const [last, setLast] = useState(attribute)
  if (attribute && attribute !== last) setLast(attribute)
  const name = last?.displayName ?? ''
  const close = () => {
    setError(null)
    onClose()
  }
  const remove = () => {
    if (!last) return
    save.save(withoutAttribute(fields, last.id), {
      onDone: () => {
        showToast({ kind: 'done', text: t('attributes.removed', { name }) })
        close()
      },
      onError: setError,
    })
  }
  return (
    <Dialog
      opened={attribute !== null}
      onClose={close}
      title={t('attributes.removeTitle', { name })}
      footer={<FormButtons danger label={t('attributes.remove')} busy={save.busy} onCancel={close} onSubmit={remove} />}
    >
      <p>{t('attributes.removeText')}</p>
      {error !== null && (
        <p role="alert" className={styles.failed}>
          {problemText(error)}
        </p>
      )}
    </Dialog>
  )
}
