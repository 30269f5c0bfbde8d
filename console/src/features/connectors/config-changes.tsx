import type { ConfigChange } from '@instep/contract/config-versions.ts'
import type { Matching } from '@instep/contract/matching.ts'
import type { PlacementRule } from '@instep/contract/placement.ts'
import type { FieldMapping } from '@instep/contract/sync.ts'
import { useTranslation } from 'react-i18next'
import { describeCondition } from '../../shared/conditions/describe-condition.ts'
import { readCondition } from '../../shared/conditions/read-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import styles from './config.module.css'
import { GuardValue } from './guard-value.tsx'
import { PlacementLines } from './placement-lines.tsx'
import { useConfigWords } from './use-config-words.ts'

interface ConfigChangesProps {
  changes: readonly ConfigChange[]
  /** What stands on each side; null: there is nothing to compare with. */
  before: string | null
  after: string
}

/** Two configurations side by side, where they differ: a mapping in words, other parts value by value. */
export function ConfigChanges({ changes, before, after }: ConfigChangesProps) {
  const { t } = useTranslation('config')
  const { place } = useConfigWords()
  if (changes.length === 0) return <p className={styles.muted}>{t('same')}</p>
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('columns.place')}</th>
          {before !== null && <th scope="col">{before}</th>}
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.path.join('/')}>
            <th scope="row">{place(change.path)}</th>
            {before !== null && (
              <td data-side={before}>
                <Side path={change.path} value={change.before} />
              </td>
            )}
            <td data-side={after}>
              <Side path={change.path} value={change.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Side({ path, value }: { path: readonly string[]; value: unknown }) {
  const { t } = useTranslation(['config', 'matching'])
  const words = useSentenceWords()
  const { mapped, plain } = useConfigWords()
  if (value === null || value === undefined) return <span className={styles.muted}>{t('absent')}</span>
  const [part, member] = path
  if (part === 'mapping' && member === 'fields') {
    return (
      <ul className={styles.lines}>
        {mapped(value as FieldMapping).map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  if (part === 'mapping' && member === 'scope') {
    const condition = readCondition(JSON.stringify(value))
    if (condition) return <Sentence parts={describeCondition(condition, words)} />
  }
  if (part === 'guard' && member) return <GuardValue place={member} value={value} />
  if (part === 'matching' && member === 'keys') return <Keys keys={value as Matching['keys']} />
  if (part === 'matching' && path.at(-1) === 'act') return t(`matching:acts.${value}`)
  if (part === 'placement' && member === 'rules') return <PlacementLines rules={value as readonly PlacementRule[]} />
  const text = plain(value)
  return text.includes('\n') ? <pre className={`mono ${styles.raw}`}>{text}</pre> : <bdi>{text}</bdi>
}

function Keys({ keys }: { keys: Matching['keys'] }) {
  const { t } = useTranslation(['config', 'matching'])
  if (keys.length === 0) return t('config:values.noKeys')
  return (
    <ol className={styles.lines}>
      {keys.map(({ kind, comparison }) => (
        <li key={kind}>
          {t('config:values.key', { key: t(`matching:keys.${kind}.name`), comparison: t(`matching:comparisons.${comparison}`) })}
        </li>
      ))}
    </ol>
  )
}
