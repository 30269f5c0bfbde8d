import { createSiteGroup, type SiteGroup, updateSiteGroup } from '@instep/contract/sites.ts'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFrameClose } from '../../shared/drawer-frame.tsx'
import { FormFooter } from '../../shared/form-footer.tsx'
import { FormNotice } from '../../shared/form-notice.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useRefusedFields } from '../../shared/use-refused-fields.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import styles from './sites.module.css'
import { useSitesChanged } from './use-sites-changed.ts'

interface GroupFormProps {
  /** Null adds one. */
  group: SiteGroup | null
  /** Why it cannot be renamed; null where it can. */
  refusal: string | null
  /** Below the input. */
  children?: ReactNode
  onClose: () => void
}

/** Adds a site group or renames one. */
export function GroupForm({ group, refusal, children, onClose }: GroupFormProps) {
  const { t } = useTranslation(['sites', 'common'])
  const createRefusal = useRefusal().ofCall(createSiteGroup)
  const [before] = useState(group?.name ?? '')
  const draft = useDraft(`siteGroup.${group?.id ?? 'new'}`, { name: before })
  const form = useRef<HTMLFormElement>(null)
  const guard = useLeaveGuard(draft.value.name.trim() !== before)
  const save = useSaveGroup(group, draft.value, () => {
    guard.release()
    draft.clear()
    onClose()
  })
  const refused = group ? refusal : createRefusal
  useFrameClose(() => guard.leave(onClose))
  useFocusOnProblem(form, save.refused)
  useSaveShortcut(() => !guard.asking && refused === null && save.save())
  return (
    <>
      {(draft.restored || refused) && <FormNotice>{refused ?? t('common:restored')}</FormNotice>}
      <form
        ref={form}
        noValidate
        aria-label={t(group ? (refused ? 'group.view' : 'group.edit') : 'group.create')}
        onSubmit={(event) => {
          event.preventDefault()
          if (refused === null) save.save()
        }}
      >
        <FieldSection title={t('group.about')} hint={t('group.aboutHint')}>
          <div className={styles.wide}>
            <TextField
              label={t('group.name')}
              required={refused === null}
              readOnly={refused !== null}
              value={draft.value.name}
              onChange={(name) => draft.change({ name })}
              error={save.error}
            />
          </div>
        </FieldSection>
        {children}
      </form>
      <FormFooter
        failure={save.failure && t('notSaved', { why: save.failure })}
        onCancel={() => guard.leave(onClose)}
        busy={save.busy}
        disabledReason={refused}
        onSubmit={save.save}
      />
      <LeaveDialog guard={guard} discard={draft.clear} />
    </>
  )
}

const useSaveGroup = (group: SiteGroup | null, typed: { readonly name: string }, onSaved: () => void) => {
  const { t } = useTranslation(['sites', 'common'])
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const changed = useSitesChanged()
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(0)
  const { refuse, refusalAt } = useRefusedFields(typed)
  const empty = typed.name.trim() === ''
  const done = ({ name }: SiteGroup) => {
    changed()
    showToast({ kind: 'done', text: t(group ? 'group.saved' : 'group.created', { name }) })
    onSaved()
  }
  const atName = (error: unknown): string | undefined => {
    if (!(error instanceof ApiProblem)) return undefined
    return error.code === 'SITE_GROUP_NAME_TAKEN' ? problemText(error) : error.fields['name']?.[0]
  }
  const fail = (error: Error) => {
    refuse({ name: atName(error) })
    setRefused((count) => count + 1)
  }
  const create = useAction(createSiteGroup, { onSuccess: done, onError: fail })
  const update = useAction(updateSiteGroup, { onSuccess: done, onError: fail })
  const error = create.error ?? update.error
  return {
    refused,
    busy: create.isPending || update.isPending,
    error: asked && empty ? t('common:enterValue', { value: t('values.group') }) : refusalAt('name'),
    failure: error && atName(error) === undefined ? problemText(error) : null,
    save: () => {
      setAsked(true)
      if (create.isPending || update.isPending) return
      if (empty) return setRefused((count) => count + 1)
      const body = { name: typed.name.trim() }
      if (!group) create.mutate({ params: { tenantId }, body })
      else if (body.name === group.name) onSaved()
      else update.mutate({ params: { tenantId, id: group.id }, body })
    },
  }
}
