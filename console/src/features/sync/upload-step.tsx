import { uploadFile } from '@instep/contract/sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { FileDrop } from '@instep/ui/file-drop.tsx'
import { ProgressBar } from '@instep/ui/progress-bar.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { fetchRuntimeConfig } from '../../session/runtime-config.ts'
import styles from './sync.module.css'

interface UploadStepProps {
  connectorId: string
  onUploaded: (fileId: string) => void
}

interface Sending {
  readonly name: string
  readonly share: number
}

/** The first step: one CSV or XLSX file. What is wrong with a file is said here, with what to do; nothing else has happened. */
export function UploadStep({ connectorId, onUploaded }: UploadStepProps) {
  const { t } = useTranslation(['sync', 'common'])
  const { share } = useFormat()
  const api = useApi()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [sending, setSending] = useState<Sending | null>(null)
  const [failure, setFailure] = useState<{ name: string; error: unknown } | null>(null)
  const abort = useRef<AbortController | null>(null)

  const send = async (file: File) => {
    if (abort.current) return
    const controller = new AbortController()
    abort.current = controller
    setFailure(null)
    setSending({ name: file.name, share: 0 })
    try {
      const stored = await api.upload(uploadFile, {
        params: { connectorId },
        file,
        onProgress: (done) => setSending({ name: file.name, share: done }),
        signal: controller.signal,
      })
      cache.setQueryData(['sync.file', stored.id, {}], { file: stored, reading: {} })
      onUploaded(stored.id)
    } catch (error) {
      if (!controller.signal.aborted) setFailure({ name: file.name, error })
    } finally {
      abort.current = null
      setSending(null)
    }
  }

  return (
    <div className={styles.step}>
      <p className={styles.lead}>{t('import.lead')}</p>
      <InTheSandbox />
      {failure && (
        <Banner tone="danger" boxed alert onDismiss={() => setFailure(null)}>
          <strong>{t('import.refused', { name: failure.name })}</strong>
          <div>{problemText(failure.error)}</div>
        </Banner>
      )}
      {sending ? (
        <div className={styles.sending} role="status">
          <p>
            {sending.share < 1
              ? t('import.sending', { name: sending.name, share: share(sending.share) })
              : t('import.reading', { name: sending.name })}
          </p>
          <ProgressBar label={t('import.progress')} share={sending.share} />
          <Button onClick={() => abort.current?.abort()}>{t('common:cancel')}</Button>
        </div>
      ) : (
        <FileDrop title={t('import.drop')} hint={t('import.dropHint')} accept=".csv,.txt,.tsv,.xlsx" onFile={send} />
      )}
    </div>
  )
}

/** Where a newcomer finds a file to try with. */
function InTheSandbox() {
  const { t } = useTranslation('sync')
  const config = useQuery({ queryKey: ['config'], queryFn: fetchRuntimeConfig, staleTime: Number.POSITIVE_INFINITY })
  if (!config.data?.hrSystem) return null
  return (
    <p className={styles.lead}>
      {t('import.sandbox')}{' '}
      <a href={config.data.hrSystem} target="_blank" rel="noreferrer">
        {t('import.hrSystem')}
      </a>
    </p>
  )
}
