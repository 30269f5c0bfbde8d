import { getConfigVersion, listConfigVersions, restoreConfigVersion } from '@instep/contract/config-versions.ts'
import { DEFAULT_GUARDS, getGuards, guardsTurnedOff } from '@instep/contract/guard-settings.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { useGuardNames } from '../../shared/use-guard-names.ts'

interface ConfigRestoreProps {
  connectorId: string
  version: number
  /** The version in force that was looked at; null where it is not known. */
  inForce: number | null
  onClose: () => void
  onDone: () => void
}

/** Puts a version in force again; asks why where that turns off a guard. Draw it while it is open. */
export function ConfigRestore({ connectorId, version, inForce, onClose, onDone }: ConfigRestoreProps) {
  const { t } = useTranslation(['config', 'guards', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const guardNames = useGuardNames()
  const params = { connectorId, version }
  const older = useEndpoint(getConfigVersion, { params })
  const guards = useEndpoint(getGuards, { params: { connectorId } })
  const restore = useAction(restoreConfigVersion, {
    onSuccess: (now) => {
      cache.invalidateQueries({ queryKey: endpointKey(listConfigVersions) })
      cache.invalidateQueries({ queryKey: endpointKey(getGuards) })
      showToast({ kind: 'done', text: t('restore.done', { version: now.version }) })
      onDone()
    },
  })
  const put = (reason?: string) =>
    restore.mutate({ params, body: reason ? { reason } : {}, ...(inForce === null ? {} : { ifMatch: inForce }) })
  const turnedOff = older.data && guards.data && guardsTurnedOff(guards.data.settings, older.data.config.guard ?? DEFAULT_GUARDS)
  const title = t('restore.title', { version })
  if (turnedOff && turnedOff.length > 0)
    return (
      <ReasonDialog
        title={title}
        action={t('restore.action')}
        hint={t('guards:reasonHint', { guards: guardNames(turnedOff) })}
        busy={restore.isPending}
        error={restore.error}
        onClose={onClose}
        onGiven={put}
      >
        <p>{t('restore.text')}</p>
      </ReasonDialog>
    )
  const failure = older.error ?? guards.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      footer={
        turnedOff ? (
          <FormButtons label={t('restore.action')} busy={restore.isPending} onCancel={onClose} onSubmit={() => put()} />
        ) : (
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
        )
      }
    >
      {turnedOff ? (
        <p>{t('restore.text')}</p>
      ) : failure ? (
        <ProblemNotice error={failure} onRetry={() => [older, guards].map(({ refetch }) => refetch())} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
      {restore.error && (
        <Banner tone="danger" boxed alert>
          {problemText(restore.error)}
        </Banner>
      )}
    </Dialog>
  )
}
