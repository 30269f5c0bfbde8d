import { createLookup, type LookupValue, listLookups, type ReferenceKind, updateLookup } from '@instep/contract/lookups.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { useRefusedFields } from '../../shared/use-refused-fields.ts'

interface LookupTyped {
  kind: ReferenceKind
  /** Null adds one. */
  value: LookupValue | null
  typed: { readonly value: string; readonly departments: readonly string[] }
}

/** Saves a value or a job title's departments; says at the input what keeps it from being saved. */
export const useSaveLookup = ({ kind, value, typed }: LookupTyped, onSaved: () => void) => {
  const { t } = useTranslation(['settings', 'common'])
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(0)
  const { refuse, refusalAt } = useRefusedFields(typed)
  const empty = value === null && typed.value.trim() === ''
  const onSuccess = (saved: LookupValue) => {
    void cache.invalidateQueries({ queryKey: endpointKey(listLookups) })
    showToast({ kind: 'done', text: t(value ? 'lookups.saved' : 'lookups.added', { value: saved.value }) })
    onSaved()
  }
  const atValue = (error: unknown): string | undefined => {
    if (!(error instanceof ApiProblem)) return undefined
    return error.code === 'LOOKUP_VALUE_TAKEN' ? problemText(error) : error.fields['value']?.[0]
  }
  const onError = (error: Error) => {
    refuse({ value: atValue(error) })
    setRefused((count) => count + 1)
  }
  const create = useAction(createLookup, { onSuccess, onError })
  const update = useAction(updateLookup, { onSuccess, onError })
  const error = create.error ?? update.error
  return {
    refused,
    busy: create.isPending || update.isPending,
    errorAt: asked && empty ? t('common:enterValue', { value: t('lookups.value') }) : refusalAt('value'),
    failure: error && atValue(error) === undefined ? problemText(error) : null,
    save: () => {
      setAsked(true)
      if (create.isPending || update.isPending) return
      if (empty) return setRefused((count) => count + 1)
      const departments = [...typed.departments]
      if (value) update.mutate({ params: { tenantId, id: value.id }, body: { departments } })
      else create.mutate({ params: { tenantId }, body: { referenceType: kind, value: typed.value.trim(), departments } })
    },
  }
}
