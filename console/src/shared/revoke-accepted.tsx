import { getDrift, listAcceptedDrift, revokeAcceptedDrift } from '@instep/contract/drift.ts'
import { getTargetSummary } from '@instep/contract/provisioning.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { getUser } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../api/use-endpoint.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import { useScope } from './scope.tsx'
import { useRefusal } from './use-refusal.ts'

interface RevokeAcceptedProps {
  targetId: string
  userId: string
  /** Null: the account that is not there. */
  attribute: string | null
}

/** Takes back that a value of somebody's account may differ; absent for whoever looks after sites only. */
export function RevokeAccepted({ targetId, userId, attribute }: RevokeAcceptedProps) {
  const { t } = useTranslation('targets')
  const { tenantId, me } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(revokeAcceptedDrift)
  const { mutate, isPending } = useAction(revokeAcceptedDrift, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('drift.accepted.revoked') })
      for (const changed of [listAcceptedDrift, getTargetSummary, getDrift, getUser])
        void cache.invalidateQueries({ queryKey: endpointKey(changed) })
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  if (!isTenantLevel(me.roles)) return null
  return (
    <Button
      busy={isPending}
      disabledReason={refusal}
      onClick={() => mutate({ params: { tenantId, id: targetId }, body: { userId, attribute } })}
    >
      {t('drift.accepted.revoke')}
    </Button>
  )
}
