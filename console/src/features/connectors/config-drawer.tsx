import { type ConfigVersion, diffConfigVersions, exportConfigVersion, tryConfigVersion } from '@instep/contract/config-versions.ts'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconDownload, IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDownload } from '../../api/use-download.ts'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useGo } from '../../shared/use-go.ts'
import styles from './config.module.css'
import { ConfigChanges } from './config-changes.tsx'
import { ConfigRestore } from './config-restore.tsx'

interface ConfigDrawerProps {
  connectorId: string
  /** Null: the drawer is closed. */
  version: ConfigVersion | null
  /** The version in force; null where it is not known. */
  inForce: number | null
  onClose: () => void
}

/** One version: what it says differently, and what can be done with it. */
export function ConfigDrawer({ connectorId, version, inForce, onClose }: ConfigDrawerProps) {
  const { t } = useTranslation('config')
  const { instant } = useFormat()
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState(version)
  if (version && version.version !== last?.version) setLast(version)
  const shown = version ?? last
  const about = shown && `${shown.createdBy}, ${instant(shown.createdAt)} UTC`
  return (
    <Drawer
      opened={version !== null}
      onClose={onClose}
      width="logs"
      title={shown ? t('versionTitle', { version: shown.version }) : ''}
      aside={shown && <span className={styles.muted}>{about}</span>}
      footer={shown && <Actions key={shown.version} connectorId={connectorId} version={shown} inForce={inForce} onDone={onClose} />}
    >
      {shown && <Differences key={shown.version} connectorId={connectorId} version={shown} inForce={inForce} />}
    </Drawer>
  )
}

type Against = 'before' | 'inForce'

function Differences({ connectorId, version, inForce }: { connectorId: string; version: ConfigVersion; inForce: number | null }) {
  const { t } = useTranslation(['config', 'common'])
  const [against, setAgainst] = useState<Against>('before')
  const other = against === 'inForce' ? inForce : null
  const diff = useEndpoint(diffConfigVersions, {
    params: { connectorId, version: version.version },
    query: other === null ? {} : { against: other },
  })
  return (
    <div className={styles.body}>
      {inForce !== null && !version.inForce && (
        <Segmented
          label={t('against.label')}
          segments={[
            { value: 'before', label: t('against.before') },
            { value: 'inForce', label: t('against.inForce') },
          ]}
          value={against}
          onChange={(value) => setAgainst(value as Against)}
        />
      )}
      {diff.error ? (
        <ProblemNotice error={diff.error} onRetry={diff.refetch} />
      ) : diff.data ? (
        <ConfigChanges
          changes={diff.data.changes}
          before={diff.data.from === null ? null : t('versionTitle', { version: diff.data.from })}
          after={t('versionTitle', { version: version.version })}
        />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </div>
  )
}

interface ActionsProps {
  connectorId: string
  version: ConfigVersion
  inForce: number | null
  onDone: () => void
}

function Actions({ connectorId, version, inForce, onDone }: ActionsProps) {
  const { t } = useTranslation('config')
  const go = useGo()
  const problemText = useProblemText()
  const [asking, setAsking] = useState(false)
  const params = { connectorId, version: version.version }
  const failed = (error: unknown) => showToast({ kind: 'failed', text: problemText(error) })
  const attempt = useAction(tryConfigVersion, { onSuccess: (run) => go(paths.run(run.id)), onError: failed })
  const file = useDownload(exportConfigVersion)
  return (
    <div className={styles.actions}>
      <Button icon={IconFlask} busy={attempt.isPending} onClick={() => attempt.mutate({ params })}>
        {t('try')}
      </Button>
      <Button icon={IconDownload} busy={file.busy} onClick={() => file.download({ params }, `configuration-${version.version}.json`)}>
        {t('export')}
      </Button>
      <Button variant="primary" disabledReason={version.inForce ? t('restore.inForce') : undefined} onClick={() => setAsking(true)}>
        {t('restore.action')}
      </Button>
      {asking && (
        <ConfigRestore
          connectorId={connectorId}
          version={version.version}
          inForce={inForce}
          onClose={() => setAsking(false)}
          onDone={onDone}
        />
      )}
    </div>
  )
}
