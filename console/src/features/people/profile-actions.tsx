import { lockUser, markVip, unlockUser } from '@instep/contract/user-edits.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconCrown, IconCrownOff, IconLock, IconLockOpen } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
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
      {locking && <LockDialog person={person} onClose={() => setLocking(false)} onSaved={onSaved} />}
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
  onClose: () => void
}

/** Asks why the person is locked: others are shown the reason. */
function LockDialog({ person, onClose, onSaved }: LockDialogProps) {
  const { t } = useTranslation('profile')
  const done = useMarked((user) => {
    onClose()
    onSaved(user)
  })
  const lock = useAction(lockUser, done('actions.locked'))
  return (
    <ReasonDialog
      title={t('actions.lockTitle', { name: person.displayName })}
      action={t('actions.lock')}
      hint={t('actions.reasonHint')}
      most={500}
      busy={lock.isPending}
      onClose={onClose}
      onGiven={(reason) => lock.mutate({ params: { connectorId: person.connectorId, id: person.id }, body: { reason } })}
    >
      {null}
    </ReasonDialog>
  )
}
