import type { FailureCause } from '@instep/contract/run-failures.ts'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './run-failures.module.css'
import { useCauseWords, usePlanCause, useRunFailures } from './use-plan-cause.ts'
import type { WatchedRun } from './watched-run.ts'

const SHOWN = 5

const keyOf = ({ code, field }: FailureCause): string => JSON.stringify([code, field])

interface RunFailuresProps {
  run: WatchedRun
  /** The id of the plan's panel, which shows the rows of a cause. */
  panelId: string
}

/** Why rows of the run were not or cannot be carried out, the most frequent cause first; choosing one narrows the plan to its rows. */
export function RunFailures({ run, panelId }: RunFailuresProps) {
  const { t } = useTranslation(['sync', 'common'])
  const found = useRunFailures(run)
  const chosen = usePlanCause()
  const [all, setAll] = useState(false)
  if (found.error) return <ProblemNotice error={found.error} onRetry={found.refetch} />
  const causes = found.data?.data ?? []
  if (causes.length === 0) return null
  const pick = (cause: FailureCause) => {
    const picked = chosen.isPicked(cause)
    chosen.change(picked ? undefined : cause)
    if (!picked) document.getElementById(panelId)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className={styles.failures}>
      <Section title={t('failures.title')} hint={t('failures.hint')}>
        <ol className={styles.causes}>
          {causes.slice(0, all ? causes.length : SHOWN).map((cause) => (
            <Cause key={keyOf(cause)} cause={cause} picked={chosen.isPicked(cause)} panelId={panelId} onPick={() => pick(cause)} />
          ))}
        </ol>
        {!all && causes.length > SHOWN && (
          <Button variant="quiet" onClick={() => setAll(true)}>
            {t('failures.more', { count: causes.length - SHOWN })}
          </Button>
        )}
      </Section>
    </div>
  )
}

interface CauseProps {
  cause: FailureCause
  picked: boolean
  panelId: string
  onPick: () => void
}

function Cause({ cause, picked, panelId, onPick }: CauseProps) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  const words = useCauseWords()
  const { displayName, rowNumber } = cause.example
  const said = { name: words.name(cause), sentence: words.sentence(cause) }
  return (
    <li className={styles.cause}>
      <bdi className={`figures ${styles.count}`}>{number(cause.rows)}</bdi>
      <div className={styles.words}>
        <p>{said.name}</p>
        <p className={styles.example}>
          {t(rowNumber === null ? 'failures.examplePerson' : 'failures.example', {
            name: displayName || t('plan.noName'),
            row: rowNumber,
            sentence: said.sentence,
          })}
        </p>
      </div>
      <Button onClick={onPick} aria-pressed={picked} aria-controls={panelId} aria-label={t('failures.showOf', said)}>
        {t('failures.show')}
      </Button>
    </li>
  )
}
