import { MAX_VIEW_NAME, type SavedView } from '@instep/contract/saved-views.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import type { PeopleList } from './people-list.rules.ts'
import { useViewActions } from './use-views.ts'

/** What is asked: a name for what is shown, another name for a view, or whether to forget it. */
export type ViewQuestion = { kind: 'saveAs' } | { kind: 'rename' | 'remove'; view: SavedView }

interface ViewDialogProps {
  list: PeopleList
  question: ViewQuestion
  onDone: (view: SavedView | null) => void
  onClose: () => void
}

/** Asks for the name of a view, or whether to delete it. Mount it to open it. */
export function ViewDialog({ list, question, onDone, onClose }: ViewDialogProps) {
  const { t } = useTranslation(['people', 'common'])
  const problemText = useProblemText()
  const { kind } = question
  const [name, setName] = useState(kind === 'rename' ? question.view.name : '')
  const [error, setError] = useState<string | null>(null)
  const actions = useViewActions(list, {
    onDone: (view) => {
      onDone(view)
      onClose()
    },
    onRefused: (refused) => setError((refused instanceof ApiProblem ? refused.fields['name']?.[0] : undefined) ?? problemText(refused)),
  })
  const submit = () => {
    if (actions.busy) return
    if (kind === 'remove') return actions.remove(question.view)
    if (name.trim() === '') return setError(t('common:enterValue', { value: t('views.name').toLocaleLowerCase() }))
    return kind === 'rename' ? actions.rename(question.view, name.trim()) : actions.saveAs(name.trim())
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(`views.title.${kind}`)}
      footer={
        <FormButtons
          danger={kind === 'remove'}
          label={kind === 'remove' ? t('views.deleteNow') : undefined}
          busy={actions.busy}
          onCancel={onClose}
          onSubmit={submit}
        />
      }
    >
      {kind === 'remove' ? (
        <>
          <p>{t('views.deleteText', { name: question.view.name })}</p>
          {error && <p role="alert">{error}</p>}
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <TextField
            label={t('views.name')}
            hint={t('views.nameHint')}
            required
            data-autofocus
            longest={MAX_VIEW_NAME}
            value={name}
            error={error}
            onChange={(value) => {
              setName(value)
              setError(null)
            }}
          />
        </form>
      )}
    </Dialog>
  )
}
