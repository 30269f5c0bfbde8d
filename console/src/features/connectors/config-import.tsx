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
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useGuardNames } from '../../shared/use-guard-names.ts'
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

/** Refusals after which what was looked at is no longer what importing would do. */
const STALE: ReadonlySet<string> = new Set(['CONFIG_CHANGED', 'GUARD_REASON_REQUIRED'])

/** Takes an exported configuration: shows what it would change before anything does. */
export function ConfigImport({ connectorId, opened, onClose }: ConfigImportProps) {
  const { t } = useTranslation(['config', 'guards', 'common'])
  const cache = useQueryClient()
  const guardNames = useGuardNames()
  const id = useId()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnProblem(form, asked)
  const params = { connectorId }
  const preview = useAction(previewConfig)
  const take = useAction(importConfig, {
    onSuccess: ({ version }) => {
      cache.invalidateQueries({ queryKey: endpointKey(listConfigVersions) })
      showToast({ kind: 'done', text: t('import.done', { version }) })
      close()
    },
    // what was looked at is no longer what it would change
    onError: (error) => {
      if (error instanceof ApiProblem && STALE.has(error.code) && chosen?.file) preview.mutate({ params, body: chosen.file })
    },
  })
  const choose = async (given: File) => {
    take.reset()
    preview.reset()
    setReason('')
    setAsked(0)
    const read = await readFile(given)
    setChosen(read)
    if (read.file) preview.mutate({ params, body: read.file })
  }
  const close = () => {
    setChosen(null)
    setReason('')
    setAsked(0)
    preview.reset()
    take.reset()
    onClose()
  }
  const file = chosen?.file
  const changes = preview.data?.changes.length ?? 0
  const unsaid = preview.data?.unsaid ?? []
  const reasonMissing = unsaid.length > 0 && reason.trim() === ''
  const submit = () => {
    if (take.isPending) return
    setAsked((times) => times + 1)
    if (!file || reasonMissing) return
    const body = unsaid.length > 0 ? { ...file, reason: reason.trim() } : file
    take.mutate({ params, body, ifMatch: preview.data?.from ?? 0 })
  }
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
            <Button type="submit" form={id} variant="primary" busy={take.isPending}>
              {t('import.take')}
            </Button>
          )}
        </div>
      }
    >
      <form
        ref={form}
        id={id}
        noValidate
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FileDrop title={t('import.drop')} hint={t('import.hint')} accept=".json" onFile={choose} />
        {chosen && !file && (
          <Banner tone="danger" boxed alert>
            {t('import.unreadable', { name: chosen.name })}
          </Banner>
        )}
        <Refusal error={preview.error ?? take.error} />
        {chosen && preview.data && <Preview name={chosen.name} diff={preview.data} />}
        {unsaid.length > 0 && (
          <TextField
            label={t('common:reason')}
            hint={t('guards:reasonHint', { guards: guardNames(unsaid) })}
            required
            longest={1000}
            error={asked > 0 && reasonMissing ? t('common:enterValue', { value: t('common:reason').toLocaleLowerCase() }) : undefined}
            value={reason}
            onChange={setReason}
          />
        )}
      </form>
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
