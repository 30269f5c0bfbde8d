import { createSite, type Site, updateSite } from '@instep/contract/sites.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { isTimeZone } from '../../shared/time-zones.ts'
import { useRefusedFields } from '../../shared/use-refused-fields.ts'
import { problemsOf, siteChanges, siteInput, type TypedSite, typedOf } from './site.rules.ts'
import { useSitesChanged } from './use-sites-changed.ts'

interface Form {
  typed: TypedSite
  /** As it was opened; null for a new one. */
  before: Site | null
  groupRequired: boolean
}

const FIELDS: readonly string[] = [
  'name',
  'groupId',
  'employeeIdPrefix',
  'externalCode',
  'restricted',
  'shiftsEnabled',
  'timeZone',
] satisfies (keyof TypedSite)[]

/** Saves a site's form; says beside which input what keeps it from being saved. */
export const useSaveSite = ({ typed, before, groupRequired }: Form, onSaved: (site: Site | null) => void) => {
  const { t } = useTranslation(['sites', 'common'])
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const changed = useSitesChanged()
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(0)
  const { refuse, refusalAt } = useRefusedFields(typed)
  const problems = problemsOf(typed, { groupRequired, isTimeZone })

  const done = (site: Site) => {
    changed()
    showToast({ kind: 'done', text: t(before ? 'site.saved' : 'site.created', { name: site.name }) })
    onSaved(site)
  }
  const fail = (error: Error) => {
    if (!(error instanceof ApiProblem)) return
    const taken = error.code === 'SITE_NAME_TAKEN' ? { name: problemText(error) } : {}
    refuse({ ...Object.fromEntries(Object.entries(error.fields).map(([field, [text]]) => [field, text])), ...taken })
    setRefused((count) => count + 1)
  }
  const create = useAction(createSite, { onSuccess: done, onError: fail })
  const update = useAction(updateSite, { onSuccess: done, onError: fail })
  const error = create.error ?? update.error
  const shownAtInput =
    error instanceof ApiProblem && (error.code === 'SITE_NAME_TAKEN' || Object.keys(error.fields).some((field) => FIELDS.includes(field)))

  const words = (field: keyof TypedSite): string | undefined => {
    const problem = problems[field]
    if (!problem) return undefined
    if (problem === 'enter') return t('common:enterValue', { value: t(`values.${field}`) })
    if (problem === 'select') return t('common:selectValue', { value: t(`values.${field}`) })
    return t(`problem.${problem}`)
  }
  return {
    /** Grows with every save that was refused. */
    refused,
    busy: create.isPending || update.isPending,
    errorAt: (field: keyof TypedSite): string | undefined => (asked ? words(field) : undefined) ?? refusalAt(field),
    failure: error && !shownAtInput ? problemText(error) : null,
    save: () => {
      setAsked(true)
      if (create.isPending || update.isPending) return
      if (Object.keys(problems).length > 0) return setRefused((count) => count + 1)
      if (!before) return create.mutate({ params: { tenantId }, body: siteInput(typed) })
      const body = siteChanges(typed, typedOf(before))
      if (Object.keys(body).length === 0) return onSaved(null)
      update.mutate({ params: { tenantId, id: before.id }, body })
    },
  }
}
