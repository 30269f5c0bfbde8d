import type { InputOf } from '@instep/contract/endpoint.ts'
import { clearOverrides } from '@instep/contract/overrides.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './overrides.module.css'

/** What is about to be taken back. */
export interface Clearing {
  readonly count: number
  /** Whether the count is one, rather than an estimate. */
  readonly exact: boolean
  readonly body: InputOf<typeof clearOverrides>['body']
}

interface ClearDialogProps {
  /** Null closes the question. */
  clearing: Clearing | null
  onClose: () => void
  onStarted: (runId: string) => void
}

/** Names the number and the effect before overrides are taken back. */
export function ClearDialog({ clearing, onClose, onStarted }: ClearDialogProps) {
  const { t } = useTranslation(['overrides', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const problemText = useProblemText()
  // the question keeps its words while it fades
  const [last, setLast] = useState(clearing)
  if (clearing && clearing !== last) setLast(clearing)
  const clear = useAction(clearOverrides, { onSuccess: ({ runId }) => onStarted(runId) })
  const close = () => {
    clear.reset()
    onClose()
  }
  const asked = { count: last?.count ?? 0, amount: number(last?.count ?? 0) }
  return (
    <Dialog
      opened={clearing !== null}
      onClose={close}
      title={t(last?.exact === false ? 'ask.titleAbout' : 'ask.title', asked)}
      footer={
        <FormButtons
          danger
          label={t('ask.clear')}
          busy={clear.isPending}
          onCancel={close}
          onSubmit={() => last && clear.mutate({ params: { tenantId }, body: last.body })}
        />
      }
    >
      <p>{t('ask.text', asked)}</p>
      {clear.error && (
        <p role="alert" className={styles.problem}>
          {problemText(clear.error)}
        </p>
      )}
    </Dialog>
  )
}
