import type { LogEntry } from '@instep/contract/logs.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { Diff } from '@instep/ui/diff.tsx'
import { EventBadge } from '@instep/ui/event-badge.tsx'
import { Timeline } from '@instep/ui/timeline.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import { paths } from '../paths.ts'
import { AppLink } from './app-link.tsx'
import styles from './log-entries.module.css'
import { useScope } from './scope.tsx'
import { useChangeWords } from './use-change-words.ts'
import { useEventText } from './use-event-text.ts'

interface LogEntriesProps {
  /** Names the list. */
  label: string
  rows: readonly LogEntry[]
}

/** Entries of a log along a rail: when, what in a sentence, by whom, and old and new values. */
export function LogEntries({ label, rows }: LogEntriesProps) {
  const { instant } = useFormat()
  const text = useEventText()
  const entries = rows.map((row) => ({
    key: row.id,
    time: <bdi className="figures">{instant(row.eventTime)}</bdi>,
    content: (
      <div className={styles.entry}>
        <EventBadge level={row.level} word={row.eventType} />
        <p>{text(row)}</p>
        <p className={styles.by}>{row.modifiedBy}</p>
        <Changes entry={row} />
        <WhySo entry={row} />
      </div>
    ),
  }))
  return (
    <div className={styles.entries}>
      <Timeline label={label} entries={entries} />
    </div>
  )
}

/** Leads from what a run did to somebody to how it came about; only tenant level sees runs. */
function WhySo({ entry: { userId, connectorId, data } }: { entry: LogEntry }) {
  const { t } = useTranslation('explain')
  const { me } = useScope()
  const { runId } = data
  if (!userId || !connectorId || typeof runId !== 'string' || !isTenantLevel(me.roles)) return null
  return <AppLink href={paths.explain(connectorId, { runId, userId })}>{t('linkPerson')}</AppLink>
}

function Changes({ entry: { before, after } }: { entry: LogEntry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const { nameOf, written } = useChangeWords(fields)
  if (fields.length === 0) return null
  return (
    <Diff
      changes={fields.map((field) => ({
        key: field,
        label: nameOf(field),
        before: written(field, before?.[field]),
        after: written(field, after?.[field]),
      }))}
    />
  )
}
