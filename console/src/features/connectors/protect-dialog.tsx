import type { Connector } from '@instep/contract/connectors.ts'
import { listProtectedPeople, type ProtectedPerson, protectPerson, unprotectPerson } from '@instep/contract/guard-settings.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useSettled } from '../../shared/use-settled.ts'
import styles from './guards.module.css'

const SUGGESTIONS = 10

interface Chosen {
  id: string
  name: string
}

/** Puts a person on the list: who, and why. */
export function ProtectDialog({ connector, opened, onClose }: { connector: Connector; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('guards')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const refresh = useRefresh(() => {
    setChosen(null)
    onClose()
  })
  const protect = useAction(protectPerson, { onSuccess: refresh })
  return (
    <ReasonDialog
      opened={opened}
      title={t('protected.addTitle')}
      action={t('protected.add')}
      busy={protect.isPending}
      error={protect.error}
      missing={chosen === null ? t('protected.chooseFirst') : null}
      onClose={onClose}
      onGiven={(reason) => chosen && protect.mutate({ params: { connectorId: connector.id, userId: chosen.id }, body: { reason } })}
    >
      {(asked) => <PersonChoice connector={connector} chosen={chosen} asked={asked} onChoose={setChosen} />}
    </ReasonDialog>
  )
}

/** Takes a person off the list, with the reason. */
export function UnprotectDialog({
  connector,
  person,
  onClose,
}: {
  connector: Connector
  person: ProtectedPerson | null
  onClose: () => void
}) {
  const { t } = useTranslation('guards')
  const refresh = useRefresh(onClose)
  const unprotect = useAction(unprotectPerson, { onSuccess: refresh })
  return (
    <ReasonDialog
      opened={person !== null}
      title={t('protected.removeTitle', { name: person?.displayName ?? '' })}
      action={t('protected.remove')}
      busy={unprotect.isPending}
      error={unprotect.error}
      missing={null}
      onClose={onClose}
      onGiven={(reason) => person && unprotect.mutate({ params: { connectorId: connector.id, userId: person.userId }, body: { reason } })}
    >
      {() => <p>{t('protected.removeText')}</p>}
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

interface ReasonDialogProps {
  opened: boolean
  title: string
  action: string
  busy: boolean
  error: Error | null
  /** What has to be given besides the reason; null where nothing is missing. */
  missing: string | null
  onClose: () => void
  onGiven: (reason: string) => void
  children: (asked: boolean) => ReactNode
}

function ReasonDialog({ opened, title, action, busy, error, missing, onClose, onGiven, children }: ReasonDialogProps) {
  const { t } = useTranslation(['guards', 'common'])
  const problemText = useProblemText()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const close = () => {
    setReason('')
    setAsked(false)
    onClose()
  }
  const give = () => {
    setAsked(true)
    if (missing !== null || reason.trim() === '') return
    onGiven(reason.trim())
    setReason('')
    setAsked(false)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
      footer={
        <>
          <Button size="form" onClick={close}>
            {t('common:cancel')}
          </Button>
          <Button variant="primary" size="form" busy={busy} onClick={give}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {children(asked)}
        <TextField
          label={t('reason')}
          required
          maxLength={1000}
          error={asked && reason.trim() === '' ? t('common:enterValue', { value: t('reason').toLocaleLowerCase() }) : undefined}
          value={reason}
          onChange={setReason}
        />
        {error && (
          <Banner tone="danger" boxed alert>
            {problemText(error)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
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
