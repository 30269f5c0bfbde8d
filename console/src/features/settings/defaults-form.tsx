import {
  createDefaults,
  DEFAULT_FIELDS,
  type DefaultField,
  type Defaults,
  getDefaults,
  getSiteDefaults,
  updateDefaults,
} from '@instep/contract/settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FormNotice } from '../../shared/form-notice.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useScope } from '../../shared/scope.tsx'
import { isTimeZone } from '../../shared/time-zones.ts'
import { useDraft } from '../../shared/use-draft.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useRefusedFields } from '../../shared/use-refused-fields.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import { DefaultRow } from './default-row.tsx'
import { changedFields, inheritedOf, type TypedDefaults, typedOf, valuesToSave } from './defaults.rules.ts'
import styles from './settings.module.css'

interface DefaultsFormProps {
  own: Defaults
  tenant: Defaults
  /** Why they cannot be changed; null where they can. */
  refusal: string | null
}

/** Every field that can have a default: what is set here, and what counts. */
export function DefaultsForm({ own, tenant, refusal }: DefaultsFormProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { instant } = useFormat()
  const stored = typedOf(own)
  const draft = useDraft<TypedDefaults>(`defaults.${own.siteId ?? own.tenantId}`, stored)
  const typed = draft.value
  const form = useRef<HTMLFormElement>(null)
  const changed = changedFields(typed, stored)
  const guard = useLeaveGuard(changed.length > 0)
  const save = useSaveDefaults(own, typed, draft.clear)
  useFocusOnProblem(form, save.refused)
  useSaveShortcut(() => !guard.asking && refusal === null && changed.length > 0 && save.save())
  return (
    <>
      <form
        ref={form}
        noValidate
        className={styles.scroll}
        aria-label={t('tabs.defaults')}
        onSubmit={(event) => {
          event.preventDefault()
          if (refusal === null && changed.length > 0) save.save()
        }}
      >
        <p className={styles.lead}>{t(own.siteId === null ? 'defaults.aboutTenant' : 'defaults.aboutSite')}</p>
        {(refusal || (draft.restored && changed.length > 0)) && <FormNotice>{refusal ?? t('common:restored')}</FormNotice>}
        <ul className={styles.defaults}>
          {DEFAULT_FIELDS.map((field) => (
            <DefaultRow
              key={field}
              field={field}
              typed={typed}
              origin={own.siteId === null ? 'tenant' : 'site'}
              inherited={inheritedOf(field, { own, tenant })}
              readOnly={refusal !== null}
              error={save.errorAt(field)}
              onChange={draft.change}
            />
          ))}
        </ul>
        <button type="submit" hidden />
      </form>
      <div className={styles.footer}>
        <div className={`${styles.status} ${save.failure ? styles.failed : ''}`} role="status">
          {save.failure
            ? t('notSaved', { why: save.failure })
            : changed.length > 0
              ? t('defaults.changed', { count: changed.length })
              : own.updatedAt && own.updatedBy && t('defaults.updated', { by: own.updatedBy, at: instant(own.updatedAt) })}
        </div>
        {changed.length > 0 && (
          <Button
            size="form"
            onClick={() => {
              draft.change(stored)
              draft.clear()
            }}
          >
            {t('common:cancel')}
          </Button>
        )}
        <Button
          size="form"
          variant="primary"
          busy={save.busy}
          disabledReason={refusal ?? (changed.length === 0 ? t('defaults.nothingChanged') : null)}
          onClick={save.save}
        >
          {t('common:save')}
        </Button>
      </div>
      <LeaveDialog guard={guard} discard={draft.clear} />
    </>
  )
}

const useSaveDefaults = (own: Defaults, typed: TypedDefaults, clearDraft: () => void) => {
  const { t } = useTranslation('settings')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(0)
  const { refuse, refusalAt } = useRefusedFields(typed)
  const badZone = typeof typed.timezone === 'string' && typed.timezone.trim() !== '' && !isTimeZone(typed.timezone.trim())
  const reload = () => {
    for (const endpoint of [getDefaults, getSiteDefaults]) void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
  }
  const onSuccess = () => {
    clearDraft()
    reload()
    showToast({ kind: 'done', text: t('defaults.saved') })
  }
  const onError = (error: Error) => {
    if (!(error instanceof ApiProblem)) return
    // somebody else was first: their values stand there now, and what was typed stays
    if (error.code === 'DEFAULTS_EXIST') {
      reload()
      showToast({ kind: 'failed', text: problemText(error) })
    }
    refuse(Object.fromEntries(Object.entries(error.fields).map(([path, [text]]) => [path.replace(/^values\./, ''), text])))
    setRefused((count) => count + 1)
  }
  const create = useAction(createDefaults, { onSuccess, onError })
  const update = useAction(updateDefaults, { onSuccess, onError })
  const error = create.error ?? update.error
  const atField = error instanceof ApiProblem && DEFAULT_FIELDS.some((field) => `values.${field}` in error.fields)
  return {
    refused,
    busy: create.isPending || update.isPending,
    errorAt: (field: DefaultField): string | undefined =>
      field === 'timezone' && badZone && asked ? t('defaults.noTimeZone') : refusalAt(field),
    failure: error && !atField ? problemText(error) : null,
    save: () => {
      setAsked(true)
      if (create.isPending || update.isPending) return
      if (badZone) return setRefused((count) => count + 1)
      const values = valuesToSave(typed, typedOf(own))
      if (own.id === null) create.mutate({ params: { tenantId }, body: { siteId: own.siteId, values } })
      else update.mutate({ params: { tenantId, id: own.id }, body: { values } })
    },
  }
}
