import type { LookupValue, ReferenceKind } from '@instep/contract/lookups.ts'
import { TextField } from '@instep/ui/text-field.tsx'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFrameClose } from '../../shared/drawer-frame.tsx'
import { FormFooter } from '../../shared/form-footer.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import { DepartmentsField } from './departments-field.tsx'
import styles from './settings.module.css'
import { useKindWords } from './use-kind-words.ts'
import { useSaveLookup } from './use-save-lookup.ts'

interface LookupDrawerProps {
  kind: ReferenceKind
  /** A job title whose departments are changed, `new` for a value to add, null for neither. */
  editing: LookupValue | 'new' | null
  onClose: () => void
}

/** Adds a value of a kind, or says in which departments a job title is used. */
export function LookupDrawer({ kind, editing, onClose }: LookupDrawerProps) {
  const { t } = useTranslation('settings')
  const kindText = useKindWords()
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState<LookupValue | 'new'>('new')
  if (editing !== null && editing !== last) setLast(editing)
  const shown = editing ?? last
  const value = shown === 'new' ? null : shown
  return (
    <FramedDrawer
      opened={editing !== null}
      title={value ? t('lookups.departmentsOf', { value: value.value }) : t('lookups.addTo', { kind: kindText(kind) })}
      onClose={onClose}
    >
      <LookupForm key={value?.id ?? 'new'} kind={kind} value={value} onClose={onClose} />
    </FramedDrawer>
  )
}

interface LookupFormProps {
  kind: ReferenceKind
  /** Null adds one. */
  value: LookupValue | null
  onClose: () => void
}

const NONE: readonly string[] = []

function LookupForm({ kind, value, onClose }: LookupFormProps) {
  const { t } = useTranslation(['settings', 'common'])
  const before = value?.departments ?? NONE
  const [text, setText] = useState('')
  const [departments, setDepartments] = useState(before)
  const form = useRef<HTMLFormElement>(null)
  const guard = useLeaveGuard(text.trim() !== '' || departments !== before)
  const save = useSaveLookup({ kind, value, typed: { value: text, departments } }, () => {
    guard.release()
    onClose()
  })
  useFrameClose(() => guard.leave(onClose))
  useFocusOnProblem(form, save.refused)
  useSaveShortcut(() => !guard.asking && save.save())
  return (
    <>
      <form
        ref={form}
        noValidate
        className={styles.drawerForm}
        onSubmit={(event) => {
          event.preventDefault()
          save.save()
        }}
      >
        {!value && <TextField label={t('lookups.columns.value')} required value={text} onChange={setText} error={save.errorAt} />}
        {kind === 'JobTitle' && <DepartmentsField departments={departments} onChange={setDepartments} />}
        <button type="submit" hidden />
      </form>
      <FormFooter
        failure={save.failure && t('notSaved', { why: save.failure })}
        onCancel={() => guard.leave(onClose)}
        busy={save.busy}
        onSubmit={save.save}
      />
      <LeaveDialog guard={guard} />
    </>
  )
}
