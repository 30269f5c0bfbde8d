import { createSite, type Site } from '@instep/contract/sites.ts'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFrameClose } from '../../shared/drawer-frame.tsx'
import { FormFooter } from '../../shared/form-footer.tsx'
import { FormNotice } from '../../shared/form-notice.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import { siteChanges, typedNew, typedOf } from './site.rules.ts'
import { SiteFields } from './site-fields.tsx'
import { useSaveSite } from './use-save-site.ts'

interface SiteFormProps {
  /** Null adds one. */
  site: Site | null
  /** Why the site cannot be changed; null where it can. */
  refusal: string | null
  restrictRefusal: string | null
  /** Beside Cancel and Save. */
  action?: ReactNode
  /** Below the inputs. */
  children?: ReactNode
  onClose: () => void
}

/** Adds a site or changes one. */
export function SiteForm({ site, refusal, restrictRefusal, action, children, onClose }: SiteFormProps) {
  const { t } = useTranslation(['sites', 'common'])
  const { tenant } = useScope()
  const createRefusal = useRefusal().ofCall(createSite)
  // what others change meanwhile does not change what this form was opened with
  const [before] = useState(site)
  const initial = before ? typedOf(before) : typedNew(tenant.timeZone)
  const draft = useDraft(`site.${before?.id ?? 'new'}`, initial)
  const typed = draft.value
  const form = useRef<HTMLFormElement>(null)
  const groupRequired = before === null || before.groupId !== null
  const guard = useLeaveGuard(Object.keys(siteChanges(typed, initial)).length > 0)
  const save = useSaveSite({ typed, before, groupRequired }, () => {
    guard.release()
    draft.clear()
    onClose()
  })
  const refused = before ? refusal : createRefusal
  useFrameClose(() => guard.leave(onClose))
  useFocusOnProblem(form, save.refused)
  useSaveShortcut(() => !guard.asking && refused === null && save.save())
  return (
    <>
      {draft.restored && <FormNotice>{t('common:restored')}</FormNotice>}
      {refused && <FormNotice>{refused}</FormNotice>}
      <form
        ref={form}
        noValidate
        aria-label={t(before ? (refused ? 'site.view' : 'site.edit') : 'site.create')}
        onSubmit={(event) => {
          event.preventDefault()
          if (refused === null) save.save()
        }}
      >
        <button type="submit" hidden />
        <SiteFields
          typed={typed}
          onChange={(change) => draft.change((was) => ({ ...was, ...change }))}
          errorAt={save.errorAt}
          groupRequired={groupRequired}
          readOnly={refused !== null}
          restrictRefusal={restrictRefusal}
        />
        {children}
      </form>
      <FormFooter
        failure={save.failure && t('notSaved', { why: save.failure })}
        action={action}
        onCancel={() => guard.leave(onClose)}
        busy={save.busy}
        disabledReason={refused}
        onSubmit={save.save}
      />
      <LeaveDialog guard={guard} discard={draft.clear} />
    </>
  )
}
