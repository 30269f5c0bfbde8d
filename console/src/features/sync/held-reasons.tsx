import { Banner } from '@instep/ui/banner.tsx'
import { useTranslation } from 'react-i18next'
import styles from './sync.module.css'
import { useRunWords } from './use-run-words.ts'
import type { WatchedRun } from './watched-run.ts'

/** Why a run waits: the gravest reason, and below it all others. */
export function HeldReasons({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const words = useRunWords()
  if (!run.held) return null
  const [, ...others] = run.heldBy
  return (
    <Banner tone="warn" boxed>
      <strong>{t('held.title')}</strong>
      <div>{words.held(run.held)}</div>
      {others.length > 0 && (
        <ul className={styles.also} aria-label={t('held.also')}>
          {others.map((reason) => (
            <li key={JSON.stringify(reason)}>{words.held(reason)}</li>
          ))}
        </ul>
      )}
    </Banner>
  )
}

/** Why a run had been held that somebody has decided about since. */
export function WasHeld({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const words = useRunWords()
  if (!run.held || run.decidedBy === null) return null
  return (
    <div className={styles.notes}>
      {t('held.was')}
      <ul className={styles.notes} aria-label={t('held.was')}>
        {run.heldBy.map((reason) => (
          <li key={JSON.stringify(reason)}>{words.held(reason)}</li>
        ))}
      </ul>
    </div>
  )
}

/** What was noticed about the source, and guards that are off. */
export function RunNotes({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const words = useRunWords()
  if (run.notes.length === 0) return null
  return (
    <ul className={styles.notes} aria-label={t('notes.title')}>
      {run.notes.map((note) => (
        <li key={JSON.stringify(note)}>{words.note(note)}</li>
      ))}
    </ul>
  )
}
