import { lockUser, markVip, unlockUser } from '@instep/contract/user-edits.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconCrown, IconCrownOff, IconLock, IconLockOpen } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { usePermitText } from './use-permit-text.ts'

interface ProfileActionsProps {
  person: UserDetails
  onSaved: (user: UserDetails) => void
}

/** Lock and VIP mark, set and taken away; where the caller may not, the button says why. */
export function ProfileActions({ person, onSaved }: ProfileActionsProps) {
  const { t } = useTranslation('profile')
  const [locking, setLocking] = useState(false)
  const permitText = usePermitText(person)
  const done = useMarked(onSaved)
  const vip = useAction(markVip, done('actions.vipChanged'))
  const unlock = useAction(unlockUser, done('actions.unlocked'))
  const params = { connectorId: person.connectorId, id: person.id }
  return (
    <>
      <Button
        size="form"
        variant="quiet"
        icon={person.locked ? IconLockOpen : IconLock}
        busy={unlock.isPending}
        disabledReason={permitText(person.can.lock)}
        onClick={() => (person.locked ? unlock.mutate({ params }) : setLocking(true))}
      >
        {t(person.locked ? 'actions.unlock' : 'actions.lock')}
      </Button>
      <Button
        size="form"
        variant="quiet"
        icon={person.vip ? IconCrownOff : IconCrown}
        busy={vip.isPending}
        disabledReason={permitText(person.can.vip)}
        onClick={() => vip.mutate({ params, body: { vip: !person.vip } })}
      >
        {t(person.vip ? 'actions.unmarkVip' : 'actions.markVip')}
      </Button>
      <LockDialog opened={locking} person={person} onClose={() => setLocking(false)} onSaved={onSaved} />
    </>
  )
}

/** What a change of a mark does: the profile is the new one, and a toast says so. */
const useMarked = (onSaved: (user: UserDetails) => void) => {
  const { t } = useTranslation('profile')
  const cache = useQueryClient()
  const problemText = useProblemText()
  return (words: string) => ({
    onSuccess: (user: UserDetails) => {
      cache.setQueryData(endpointKey(getUser, { params: { connectorId: user.connectorId, id: user.id } }), user)
      showToast({ kind: 'done', text: t(words, { name: user.displayName }) })
      onSaved(user)
    },
    onError: (error: Error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
}

interface LockDialogProps extends ProfileActionsProps {
  opened: boolean
  onClose: () => void
}

/** Asks why the person is locked: others are shown the reason. */
function LockDialog({ opened, person, onClose, onSaved }: LockDialogProps) {
  const { t } = useTranslation(['profile', 'common'])
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const done = useMarked((user) => {
    onClose()
    setReason('')
    setAsked(false)
    onSaved(user)
  })
  const lock = useAction(lockUser, done('actions.locked'))
  const submit = () => {
    setAsked(true)
    if (reason.trim() === '' || lock.isPending) return
    lock.mutate({ params: { connectorId: person.connectorId, id: person.id }, body: { reason: reason.trim() } })
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('actions.lockTitle', { name: person.displayName })}
      footer={<FormButtons label={t('actions.lock')} busy={lock.isPending} onCancel={onClose} onSubmit={submit} />}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={t('actions.reason')}
          hint={t('actions.reasonHint')}
          required
          maxLength={500}
          value={reason}
          onChange={setReason}
          error={asked && reason.trim() === '' ? t('common:enterValue', { value: t('actions.reason').toLocaleLowerCase() }) : undefined}
        />
      </form>
    </Dialog>
  )
}
