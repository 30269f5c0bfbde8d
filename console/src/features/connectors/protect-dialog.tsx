import type { Connector } from '@instep/contract/connectors.ts'
import { listProtectedPeople, type ProtectedPerson, protectPerson, unprotectPerson } from '@instep/contract/guard-settings.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { useSettled } from '../../shared/use-settled.ts'

const SUGGESTIONS = 10

interface Chosen {
  id: string
  name: string
}

/** Puts a person on the list: who, and why. */
export function ProtectDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { t } = useTranslation('guards')
  const [chosen, setChosen] = useState<Chosen | null>(null)
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
      {(asked) => <PersonChoice connector={connector} chosen={chosen} asked={asked} onChoose={setChosen} />}
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

interface PersonChoiceProps {
  connector: Connector
  chosen: Chosen | null
  asked: boolean
  onChoose: (chosen: Chosen | null) => void
}

/** Finds a person of the connector by name or id. */
function PersonChoice({ connector, chosen, asked, onChoose }: PersonChoiceProps) {
  const { t } = useTranslation(['guards', 'common'])
  const [text, setText] = useState('')
  const [search, setSearch] = useState<string | null>(null)
  const searchText = useSettled(search ?? '').slice(0, 200)
  const people = useEndpoint(
    searchUsers,
    { params: { connectorId: connector.id }, body: { searchText: searchText || null, pageSize: SUGGESTIONS } },
    { enabled: search !== null, keepOld: true },
  )
  return (
    <ComboField
      label={t('protected.person')}
      required
      error={asked && !chosen ? t('protected.chooseFirst') : undefined}
      value={chosen?.name ?? text}
      options={people.data?.data.map((row) => ({
        key: row.id,
        label: row.displayName,
        detail: [row.externalId, row.title].filter(Boolean).join(', '),
      }))}
      onSearch={setSearch}
      onChange={(value) => {
        setText(value)
        onChoose(null)
      }}
      onPick={({ key, label }) => onChoose({ id: key, name: label })}
      empty={t('protected.nobody')}
      loading={t('common:loading')}
    />
  )
}
