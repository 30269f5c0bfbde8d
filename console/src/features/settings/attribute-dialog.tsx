import { foldedName } from '@instep/contract/folded-name.ts'
import type { ClaimField } from '@instep/contract/settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { SwitchField } from '@instep/ui/switch-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useProblemText } from '../../api/use-problem-text.ts'

import { isFull, type SentAttribute, withAttribute } from './attributes.rules.ts'
import styles from './settings.module.css'
import { useSaveAttributes } from './use-save-attributes.ts'

const TYPES = ['text', 'numeric', 'date'] as const
const FORM = 'attribute-form'

interface AttributeDialogProps {
  fields: readonly ClaimField[]
  opened: boolean
  /** Null adds one. */
  attribute: ClaimField | null
  onClose: () => void
}

/** Adds a custom security attribute or changes one. */
export function AttributeDialog({ fields, opened, attribute, onClose }: AttributeDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={attribute ? t('attributes.editTitle', { name: attribute.displayName }) : t('attributes.add')}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button size="form" variant="primary" type="submit" form={FORM} busy={busy}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      {opened && <AttributeForm key={attribute?.id ?? 'new'} {...{ fields, attribute, onClose }} onBusy={setBusy} />}
    </Dialog>
  )
}

interface AttributeFormProps {
  fields: readonly ClaimField[]
  attribute: ClaimField | null
  onBusy: (busy: boolean) => void
  onClose: () => void
}

function AttributeForm({ fields, attribute, onBusy, onClose }: AttributeFormProps) {
  const { t } = useTranslation(['settings', 'common', 'problems'])
  const problemText = useProblemText()
  const others = fields.filter(({ id }) => id !== attribute?.id)
  const full = isFull(others)
  const [typed, setTyped] = useState<SentAttribute>(attribute ?? { displayName: '', description: '', type: 'text', enabled: !full })
  const [asked, setAsked] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const save = useSaveAttributes()
  const change = (changed: Partial<SentAttribute>) => setTyped((was) => ({ ...was, ...changed }))
  const name = typed.displayName.trim()
  const taken = others.some(({ displayName }) => foldedName(displayName) === foldedName(name))
  const problem = name === '' ? t('common:enterValue', { value: t('attributes.name') }) : taken ? t('attributes.nameTaken') : undefined
  const submit = () => {
    setAsked(true)
    if (problem || save.busy) return
    onBusy(true)
    setError(null)
    save.save(withAttribute(fields, { ...typed, id: attribute?.id, displayName: name, description: typed.description.trim() }), {
      onDone: () => {
        onBusy(false)
        showToast({ kind: 'done', text: t(attribute ? 'attributes.saved' : 'attributes.added', { name }) })
        onClose()
      },
      onError: (failed) => {
        onBusy(false)
        setError(failed)
      },
    })
  }
  return (
    <form
      id={FORM}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={t('attributes.columns.name')}
        required
        data-autofocus
        longest={100}
        value={typed.displayName}
        onChange={(displayName) => change({ displayName })}
        error={asked ? problem : undefined}
      />
      <TextField
        label={t('attributes.description')}
        hint={t('attributes.descriptionHint')}
        longest={300}
        value={typed.description}
        onChange={(description) => change({ description })}
      />
      <SelectField
        label={t('attributes.columns.type')}
        value={typed.type}
        options={TYPES.map((value) => ({ value, label: t(`attributes.types.${value}`) }))}
        onChange={(value) => change({ type: TYPES.find((one) => one === value) ?? 'text' })}
      />
      <SwitchField
        label={t('attributes.askFor')}
        word={t(typed.enabled ? 'attributes.on' : 'attributes.off')}
        checked={typed.enabled}
        disabled={full && !typed.enabled}
        note={full ? t('problems:TOO_MANY_ACTIVE_FIELDS') : undefined}
        onChange={(enabled) => change({ enabled })}
      />
      {error && (
        <p role="alert" className={styles.failed}>
          {firstField(error) ?? problemText(error)}
        </p>
      )}
    </form>
  )
}

/** What the server says of a field, whatever its place in the set. */
const firstField = (error: Error): string | undefined => (error instanceof ApiProblem ? Object.values(error.fields)[0]?.[0] : undefined)
