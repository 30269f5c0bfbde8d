import type { Connector } from '@instep/contract/connectors.ts'
import { listProtectedPeople, type ProtectedPerson, protectPerson, unprotectPerson } from '@instep/contract/guard-settings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { type ChosenPerson, PersonChoice } from '../../shared/person-choice.tsx'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'

/** Puts a person on the list: who, and why. */
export function ProtectDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { t } = useTranslation('guards')
  const [chosen, setChosen] = useState<ChosenPerson | null>(null)
  const refresh = useRefresh(onClose)
  const protect = useAction(protectPerson, { onSuccess: refresh })
  return (
    <ReasonDialog
      title={t('protected.addTitle')}
      action={t('protected.add')}
      busy={protect.isPending}
      error={protect.error}
      incomplete={chosen === null}
      onClose={onClose}
      onGiven={(reason) => chosen && protect.mutate({ params: { connectorId: connector.id, userId: chosen.id }, body: { reason } })}
    >
      {(asked) => (
        <PersonChoice
          label={t('protected.person')}
          within={connector.id}
          chosen={chosen}
          required
          error={asked ? t('protected.chooseFirst') : undefined}
          onChoose={setChosen}
        />
      )}
    </ReasonDialog>
  )
}

/** Takes a person off the list, with the reason. */
export function UnprotectDialog({ connector, person, onClose }: { connector: Connector; person: ProtectedPerson; onClose: () => void }) {
  const { t } = useTranslation('guards')
  const refresh = useRefresh(onClose)
  const unprotect = useAction(unprotectPerson, { onSuccess: refresh })
  return (
    <ReasonDialog
      title={t('protected.removeTitle', { name: person.displayName })}
      action={t('protected.remove')}
      busy={unprotect.isPending}
      error={unprotect.error}
      onClose={onClose}
      onGiven={(reason) => unprotect.mutate({ params: { connectorId: connector.id, userId: person.userId }, body: { reason } })}
    >
      <p>{t('protected.removeText')}</p>
    </ReasonDialog>
  )
}

const useRefresh = (then: () => void) => {
  const cache = useQueryClient()
  return () => {
    cache.invalidateQueries({ queryKey: endpointKey(listProtectedPeople) })
    then()
  }
}
