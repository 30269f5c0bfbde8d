import {
  CONFIG_FORMAT,
  type ConfigDiff,
  type ConfigFile,
  importConfig,
  listConfigVersions,
  previewConfig,
} from '@instep/contract/config-versions.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { FileDrop } from '@instep/ui/file-drop.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import styles from './config.module.css'
import { ConfigChanges } from './config-changes.tsx'

interface ConfigImportProps {
  connectorId: string
  opened: boolean
  onClose: () => void
}

/** What was chosen: the file as it was read, undefined where it is no configuration. */
interface Chosen {
  readonly name: string
  readonly file: ConfigFile | undefined
}

const readFile = async (given: File): Promise<Chosen> => {
  try {
    const read: unknown = JSON.parse(await given.text())
    const isConfig = typeof read === 'object' && read !== null && 'format' in read && read.format === CONFIG_FORMAT
    // what else is wrong with it the server says, place by place
    return { name: given.name, file: isConfig ? (read as ConfigFile) : undefined }
  } catch {
    return { name: given.name, file: undefined }
  }
}

/** Takes an exported configuration: shows what it would change before anything does. */
export function ConfigImport({ connectorId, opened, onClose }: ConfigImportProps) {
  const { t } = useTranslation(['config', 'common'])
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const params = { connectorId }
  const preview = useAction(previewConfig)
  const take = useAction(importConfig, {
    onSuccess: ({ version }) => {
      cache.invalidateQueries({ queryKey: endpointKey(listConfigVersions) })
      showToast({ kind: 'done', text: t('import.done', { version }) })
      close()
    },
    // what was looked at is no longer what it would change
    onError: (error, { body }) => {
      if (error instanceof ApiProblem && error.code === 'CONFIG_CHANGED') preview.mutate({ params, body })
    },
  })
  const choose = async (given: File) => {
    take.reset()
    preview.reset()
    const read = await readFile(given)
    setChosen(read)
    if (read.file) preview.mutate({ params, body: read.file })
  }
  const close = () => {
    setChosen(null)
    preview.reset()
    take.reset()
    onClose()
  }
  const file = chosen?.file
  const changes = preview.data?.changes.length ?? 0
  return (
    <Drawer
      opened={opened}
      onClose={close}
      width="logs"
      title={t('import.open')}
      footer={
        <div className={styles.actions}>
          <Button onClick={close}>{t('common:cancel')}</Button>
          {file && changes > 0 && (
            <Button
              variant="primary"
              busy={take.isPending}
              onClick={() => take.mutate({ params, body: file, ifMatch: preview.data?.from ?? 0 })}
            >
              {t('import.take')}
            </Button>
          )}
        </div>
      }
    >
      <div className={styles.body}>
        <FileDrop title={t('import.drop')} hint={t('import.hint')} accept=".json" onFile={choose} />
        {chosen && !file && (
          <Banner tone="danger" boxed alert>
            {t('import.unreadable', { name: chosen.name })}
          </Banner>
        )}
        <Refusal error={preview.error ?? take.error} />
        {chosen && preview.data && <Preview name={chosen.name} diff={preview.data} />}
      </div>
    </Drawer>
  )
}

function Preview({ name, diff }: { name: string; diff: ConfigDiff }) {
  const { t } = useTranslation('config')
  return (
    <ConfigChanges changes={diff.changes} before={diff.from === null ? null : t('versionTitle', { version: diff.from })} after={name} />
  )
}

/** Why a configuration was not taken, place by place. */
function Refusal({ error }: { error: unknown }) {
  const problemText = useProblemText()
  if (!error) return null
  const fields = error instanceof ApiProblem ? Object.entries(error.fields ?? {}) : []
  return (
    <Banner tone="danger" boxed alert>
      {problemText(error)}
      <ul className={styles.lines}>
        {fields.map(([place, messages]) => (
          <li key={place}>
            <bdi className="mono">{place}</bdi> {messages.join(' ')}
          </li>
        ))}
      </ul>
    </Banner>
  )
}
