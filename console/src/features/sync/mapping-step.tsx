import { DELIMITERS, ENCODINGS, getFile, listRuns, type Mapping, type SourceFile, startRun } from '@instep/contract/sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { ApiProblem } from '../../api/api-problem.ts'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useGo } from '../../shared/use-go.ts'
import { gapsOf } from './mapping.rules.ts'
import { MappingTable } from './mapping-table.tsx'
import { SamplePreview } from './sample-preview.tsx'
import { ScopeSection } from './scope-section.tsx'
import styles from './sync.module.css'
import { useExpressions } from './use-expressions.ts'

interface Reading {
  encoding?: (typeof ENCODINGS)[number]
  delimiter?: (typeof DELIMITERS)[number]
}

interface MappingStepProps {
  connectorId: string
  fileId: string
  onOtherFile: () => void
}

/** The second step: which column becomes what. The file may be read again in another encoding or with another separator. */
export function MappingStep({ connectorId, fileId, onOtherFile }: MappingStepProps) {
  const { t } = useTranslation(['sync', 'common'])
  const api = useApi()
  const expressions = useExpressions()
  const [reading, setReading] = useState<Reading>({})
  const read = useQuery({
    queryKey: ['sync.file', fileId, reading],
    queryFn: async ({ signal }) => ({
      file: await api.call(getFile, { params: { connectorId, fileId }, query: reading, signal }),
      reading,
    }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
    retry: false,
  })
  if (read.error) {
    return (
      <ProblemNotice
        error={read.error}
        title={t('import.unreadable')}
        onRetry={Object.keys(reading).length > 0 ? () => setReading({}) : onOtherFile}
      />
    )
  }
  if (!read.data || !expressions) return <Loader label={t('common:loading')} />
  return (
    <MappingForm
      // read otherwise, a file has another mapping: the old one stays in sight until then, and is not taken over
      key={JSON.stringify(read.data.reading)}
      file={read.data.file}
      reading={read.data.reading}
      onReading={(change) => setReading((before) => ({ ...before, ...change }))}
      onOtherFile={onOtherFile}
    />
  )
}

interface MappingFormProps {
  file: SourceFile
  reading: Reading
  onReading: (change: Reading) => void
  onOtherFile: () => void
}

function MappingForm({ file, reading, onReading, onOtherFile }: MappingFormProps) {
  const { t } = useTranslation(['sync', 'common'])
  const go = useGo()
  const problemText = useProblemText()
  const draft = useDraft<Mapping>(`mapping.${file.id}.${reading.encoding ?? ''}.${reading.delimiter ?? ''}`, file.mapping)
  const [asked, setAsked] = useState(false)
  const gaps = gapsOf(draft.value)
  const sample = useMemo(() => ({ columns: file.columns.map(({ name }) => name), rows: file.sampleRows }), [file])
  const start = useAction(startRun, {
    onSuccess: (run) => {
      draft.clear()
      go(paths.run(run.id))
    },
  })
  const plan = () => {
    setAsked(true)
    if (gaps.size === 0)
      start.mutate({ params: { connectorId: file.connectorId }, body: { fileId: file.id, mapping: draft.value, ...reading } })
    else document.querySelector<HTMLElement>(`[name="map-${[...gaps.keys()][0]}"]`)?.focus()
  }
  return (
    <div className={styles.mappingStep}>
      <FileFacts file={file} onReading={onReading} onOtherFile={onOtherFile} />
      {file.lostColumns.length > 0 && (
        <Banner tone="warn" boxed>
          {t('mapping.lost', { count: file.lostColumns.length, columns: file.lostColumns.join(', ') })}
        </Banner>
      )}
      <p className={styles.lead}>{file.remembered ? t('mapping.remembered') : t('mapping.suggested')}</p>
      <MappingTable columns={file.columns} sample={sample} mapping={draft.value} gaps={gaps} showGaps={asked} onChange={draft.change} />
      <ScopeSection mapping={draft.value} sample={sample} onChange={draft.change} />
      <SamplePreview file={file} />
      {start.error && <StartProblem error={start.error} connectorId={file.connectorId} text={problemText(start.error)} />}
      <footer className={styles.stepFooter}>
        <span role="status">{asked && gaps.size > 0 ? t('mapping.gaps', { count: gaps.size }) : t('mapping.nothingYet')}</span>
        <Button variant="primary" size="form" busy={start.isPending} onClick={plan}>
          {t('mapping.plan')}
        </Button>
      </footer>
    </div>
  )
}

function FileFacts({ file, onReading, onOtherFile }: Omit<MappingFormProps, 'reading'>) {
  const { t } = useTranslation('sync')
  const { bytes } = useFormat()
  return (
    <div className={styles.facts}>
      <div className={styles.factsFile}>
        <strong>
          <bdi>{file.name}</bdi>
        </strong>
        <span>
          {bytes(file.size)}, {t('mapping.columns', { count: file.columns.length })}
        </span>
        <Button onClick={onOtherFile}>{t('mapping.otherFile')}</Button>
      </div>
      {file.format === 'csv' && (
        <div className={styles.factsReading}>
          <SelectField
            label={t('mapping.encoding')}
            toolbar
            value={file.encoding ?? 'utf-8'}
            options={ENCODINGS.map((value) => ({ value, label: t(`encodings.${value}`) }))}
            onChange={(value) => onReading({ encoding: value as (typeof ENCODINGS)[number] })}
          />
          <SelectField
            label={t('mapping.delimiter')}
            toolbar
            value={file.delimiter ?? ','}
            options={DELIMITERS.map((value, index) => ({ value, label: t(`delimiters.${index}`) }))}
            onChange={(value) => onReading({ delimiter: value as (typeof DELIMITERS)[number] })}
          />
        </div>
      )}
    </div>
  )
}

/** Why no plan was started; another open run is one click away. */
function StartProblem({ error, connectorId, text }: { error: Error; connectorId: string; text: string }) {
  const { t } = useTranslation('sync')
  const { tenantId } = useScope()
  const active = error instanceof ApiProblem && error.code === 'RUN_ACTIVE'
  const runs = useEndpoint(listRuns, { params: { tenantId }, query: { connectorId, pageSize: 1 } }, { enabled: active })
  const open = runs.data?.data[0]
  return (
    <Banner
      tone="danger"
      boxed
      alert
      actions={
        active && open ? (
          <AppLink href={paths.run(open.id)} className={buttonClass('secondary')}>
            {t('mapping.openRun')}
          </AppLink>
        ) : undefined
      }
    >
      {text}
    </Banner>
  )
}
