import { EXPORT_FORMATS, exportUsers } from '@instep/contract/exports.ts'
import type { FileColumn } from '@instep/contract/user-columns.ts'
import type { UserRow } from '@instep/contract/users.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { useScope } from '../../shared/scope.tsx'
import { UserTable } from '../../shared/user-table.tsx'
import { useConsole } from '../../shell/console-store.ts'
import styles from './export.module.css'
import { exportColumnsOf } from './export.rules.ts'
import { ExportColumnsChoice } from './export-columns-choice.tsx'
import { filterOf, type PeopleList } from './people-list.rules.ts'
import type { People } from './use-people.ts'
import type { Selected } from './use-selection.ts'

/** Who goes into the file. */
export type ExportWho = 'list' | 'selected'

interface ExportDialogProps {
  people: People
  list: PeopleList
  selected: Selected
  /** What is chosen at first. */
  who: ExportWho
  /** Told the run that writes the file. */
  onStarted: (runId: string) => void
  onClose: () => void
}

const FORMAT_NAMES = { csv: 'CSV', xlsx: 'XLSX' } as const

const NO_ONE: ReadonlySet<string> = new Set()

type Choice = 'shown' | 'every' | 'chosen'
const CHOICES: readonly Choice[] = ['shown', 'every', 'chosen']

/** Asks who and what goes into the file, and in which format; then starts the run that writes it. Mount it to open it. */
export function ExportDialog({ people, list, selected, who: first, onStarted, onClose }: ExportDialogProps) {
  const { t } = useTranslation(['people', 'common'])
  const { tenantId, siteId } = useScope()
  const locale = useConsole((state) => state.language)
  const problemText = useProblemText()
  const picked = 'ids' in selected.selection ? selected.selection.ids : null
  const but = first === 'selected' && 'everyoneBut' in selected.selection ? selected.selection.everyoneBut : NO_ONE
  const [who, setWho] = useState<ExportWho>(picked?.size ? first : 'list')
  const [format, setFormat] = useState<(typeof EXPORT_FORMATS)[number]>('csv')
  const [choice, setChoice] = useState<Choice>('shown')
  const [chosen, setChosen] = useState<readonly FileColumn[]>(() => exportColumnsOf(list.columns))
  const start = useAction(exportUsers, {
    onSuccess: (run) => {
      onStarted(run.id)
      onClose()
    },
  })
  const columns = { shown: exportColumnsOf(list.columns), every: undefined, chosen }[choice]
  const nothing = (people.count?.value === 0 && who === 'list') || columns?.length === 0
  const submit = () => {
    const userIds = who === 'selected' && picked ? [...picked] : undefined
    const exceptIds = [...but]
    start.mutate({
      params: { connectorId: tenantId },
      body: {
        format,
        filter: filterOf(list, siteId),
        sort: list.sort,
        locale,
        ...(userIds ? { userIds } : {}),
        ...(exceptIds.length > 0 ? { exceptIds } : {}),
        ...(columns ? { columns: [...columns] } : {}),
      },
    })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('export.title')}
      footer={
        <FormButtons
          label={t('export.start')}
          busy={start.isPending}
          disabledReason={nothing ? t('export.nothing') : null}
          onCancel={onClose}
          onSubmit={submit}
        />
      }
    >
      <div className={styles.form}>
        {start.error && (
          <p role="alert" className={styles.problem}>
            {problemText(start.error)}
          </p>
        )}
        <WhoChoice people={people} picked={picked} but={but.size} who={who} onChange={setWho} />
        <Question label={t('export.format')}>
          <Segmented
            label={t('export.format')}
            value={format}
            segments={EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
            onChange={setFormat}
          />
        </Question>
        <Question label={t('export.columns.label')}>
          <Segmented
            label={t('export.columns.label')}
            value={choice}
            segments={CHOICES.map((value) => ({ value, label: t(`export.columns.${value}`) }))}
            onChange={setChoice}
          />
        </Question>
        {choice === 'chosen' && <ExportColumnsChoice columns={chosen} onChange={setChosen} />}
      </div>
    </Dialog>
  )
}

function Question({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.question}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  )
}

interface WhoChoiceProps {
  people: People
  /** Those selected by id; null where the selection is everyone. */
  picked: ReadonlySet<string> | null
  /** How many of everyone are left out. */
  but: number
  who: ExportWho
  onChange: (who: ExportWho) => void
}

/** How many people the file is about; where some are selected, either them or the whole list, and who they are. */
function WhoChoice({ people, picked, but, who, onChange }: WhoChoiceProps) {
  const { t } = useTranslation('people')
  const { number } = useFormat()
  const total = people.total ?? ''
  if (people.count?.value === 0) return <p>{t('export.nothing')}</p>
  if (but > 0) return <p>{t('export.everyoneBut', { total, count: but, amount: number(but) })}</p>
  if (!picked?.size) return <p>{t('export.everyone', { total })}</p>
  const rows = (people.rows ?? []).filter((row: UserRow) => picked.has(row.id))
  return (
    <>
      <Question label={t('export.who')}>
        <Segmented
          label={t('export.who')}
          value={who}
          segments={[
            { value: 'selected', label: t('selection.count', { count: picked.size, amount: number(picked.size) }) },
            { value: 'list', label: t('export.matching', { total }) },
          ]}
          onChange={onChange}
        />
      </Question>
      {who === 'selected' && <UserTable label={t('export.selectedPeople')} people={rows} />}
    </>
  )
}
