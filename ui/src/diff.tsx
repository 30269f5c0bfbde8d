import { IconArrowRight } from '@tabler/icons-react'
import styles from './diff.module.css'
import { Icon } from './icon.tsx'
import { useUiWords } from './ui-words.tsx'

export interface Change {
  key: string
  /** The field in words. */
  label: string
  /** Null or empty: there was nothing. */
  before: string | null
  /** Null or empty: it is taken away. */
  after: string | null
}

interface DiffProps {
  changes: readonly Change[]
}

function Value({ change }: { change: Change }) {
  const words = useUiWords()
  if (!change.before) {
    return (
      <>
        <span className={styles.sign} role="img" aria-label={words.added}>
          +
        </span>
        <bdi className={styles.added}>{change.after}</bdi>
      </>
    )
  }
  if (!change.after) {
    return (
      <>
        <span className={styles.sign} role="img" aria-label={words.removed}>
          −
        </span>
        <bdi className={styles.removed}>{change.before}</bdi>
      </>
    )
  }
  return (
    <>
      <span className={styles.sign} role="img" aria-label={words.changed}>
        ~
      </span>
      <bdi className={styles.old}>{change.before}</bdi>
      <span className={styles.arrow}>
        <Icon of={IconArrowRight} size={12} mirrors />
        <span className="visually-hidden">{words.to}</span>
      </span>
      <bdi>{change.after}</bdi>
    </>
  )
}

/** Changed fields, each as "+" added, "−" removed or "~" old then new. */
export function Diff({ changes }: DiffProps) {
  return (
    <dl className={styles.diff}>
      {changes.map((change) => (
        <div key={change.key} style={{ display: 'contents' }}>
          <dt>{change.label}</dt>
          <dd>
            <Value change={change} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
