import { type ClaimField, getClaimFields, setClaimFields } from '@instep/contract/settings.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { type SentAttribute, withAttribute } from './attributes.rules.ts'
import { useAttributeText } from './use-attribute-text.ts'

/** Saves the set of security attributes and shows it anew. */
export const useSaveAttributes = () => {
  const { t } = useTranslation('settings')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const nameOf = useAttributeText()
  const params = { tenantId }
  const action = useAction(setClaimFields, {
    onSuccess: (saved) => {
      cache.setQueryData(endpointKey(getClaimFields, { params }), saved)
      void cache.invalidateQueries({ queryKey: endpointKey(getClaimFields) })
    },
  })
  const save = (claimFields: readonly SentAttribute[], told: { onDone: () => void; onError: (error: Error) => void }): void =>
    action.mutate({ params, body: { claimFields: [...claimFields] } }, { onSuccess: told.onDone, onError: told.onError })
  return {
    busy: action.isPending,
    save,
    /** Switches one on or off, and says so. */
    switchTo: (fields: readonly ClaimField[], field: ClaimField): void =>
      save(withAttribute(fields, field), {
        onDone: () =>
          showToast({ kind: 'done', text: t(field.enabled ? 'attributes.nowOn' : 'attributes.nowOff', { name: nameOf(field) }) }),
        onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
      }),
  }
}
