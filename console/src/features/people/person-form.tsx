import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FrameFooter, useFrameClose } from '../../shared/drawer-frame.tsx'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { FormNotice } from '../../shared/form-notice.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useMaintenance } from '../../shared/use-maintenance.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import { FormBasic } from './form-basic.tsx'
import { FormClaims } from './form-claims.tsx'
import { FormContact } from './form-contact.tsx'
import { FormWork } from './form-work.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { OverrideStrip } from './override-strip.tsx'
import styles from './person.module.css'
import type { TypedPerson } from './typed-person.rules.ts'
import { EditorProvider, type PersonEditor, useEditor, usePersonEditor } from './use-person-editor.ts'
import { type SavePerson, useSavePerson } from './use-save-person.ts'

interface PersonFormProps {
  draftKey: string
  initial: TypedPerson
  claims: readonly ClaimField[]
  siteRequired: boolean
  /** Another site was chosen for somebody new: its defaults are filled in. */
  onSite?: ((siteId: string | null, editor: PersonEditor) => void) | undefined
  onSaved: (user: UserDetails) => void
  /** Back to where Cancel leads. */
  onCancel: () => void
  /** Closes the drawer. */
  onClose: () => void
}

/** The form of a person: creates one, or changes one. */
export function PersonForm({ draftKey, initial, claims, siteRequired, onSite, onSaved, onCancel, onClose }: PersonFormProps) {
  const { t } = useTranslation(['profile', 'common'])
  const editor = usePersonEditor({ draftKey, initial, claims, siteRequired })
  const guard = useLeaveGuard(editor.dirty)
  const form = useRef<HTMLFormElement>(null)
  const save = useSavePerson(editor, (user) => {
    guard.release()
    editor.clearDraft()
    onSaved(user)
  })
  const leave = (then: () => void) => {
    // a form that was only looked into is not taken up again where it was
    if (!editor.dirty) editor.clearDraft()
    guard.leave(then)
  }
  useFrameClose(() => leave(onClose))
  useFocusOnProblem(form, save.refused)

  useSaveShortcut(() => !guard.asking && !save.conflict && save.save())

  return (
    <EditorProvider value={editor}>
      {editor.restored && <FormNotice>{t('common:restored')}</FormNotice>}
      <form
        ref={form}
        noValidate
        aria-label={t(editor.before ? 'title.edit' : 'title.create')}
        onSubmit={(event) => {
          event.preventDefault()
          save.save()
        }}
      >
        <FormBasic onSite={(siteId) => onSite?.(siteId, editor)} />
        <FormContact />
        <FormWork />
        <FormClaims />
        <button type="submit" hidden />
      </form>
      <FrameFooter>
        <FormFooter save={save} onCancel={() => leave(onCancel)} />
      </FrameFooter>
      <LeaveDialog guard={guard} discard={editor.clearDraft} />
      {save.conflict && <MergeDialog conflict={save.conflict} onMerged={save.saveMerged} onClose={save.leaveConflict} />}
    </EditorProvider>
  )
}

/** How many inputs need attention and what else went wrong, then Cancel and Save. */
function FormFooter({ save, onCancel }: { save: SavePerson; onCancel: () => void }) {
  const { t } = useTranslation(['profile', 'common'])
  const maintenance = useMaintenance()
  const problemText = useProblemText()
  const { attention } = useEditor()
  return (
    <>
      <OverrideStrip />
      <div className={styles.status} role="status">
        {attention > 0 && <span className={styles.attention}>{t('form.attention', { count: attention })}</span>}
        {save.failure !== null && <span className={styles.attention}>{t('form.notSaved', { why: problemText(save.failure) })}</span>}
      </div>
      <FormButtons busy={save.busy} disabledReason={maintenance.reason} onCancel={onCancel} onSubmit={save.save} />
    </>
  )
}
