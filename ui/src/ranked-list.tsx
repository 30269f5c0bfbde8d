import styles from './ranked-list.module.css'

export interface Ranked {
  name: string
  count: number
  /** The count in the reader's language. */
  shown: string
  /** Tells rows of one name apart. */
  key?: string
  /** Makes the row one that can be chosen. */
  onPick?: () => void
  /** Whether it is the chosen one. */
  picked?: boolean
}

interface RankedListProps {
  /** Largest first. */
  rows: readonly Ranked[]
  /** The id of the heading that names the list. */
  labelledBy?: string | undefined
}

/** Names with counts; the bar behind each shows its share of the largest. */
export function RankedList({ rows, labelledBy }: RankedListProps) {
  const largest = Math.max(1, ...rows.map((row) => row.count))
  return (
    <ol className={styles.list} aria-labelledby={labelledBy}>
      {rows.map((row) => (
        <li key={row.key ?? row.name} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${(row.count / largest) * 100}%` }} />
          {row.onPick ? (
            <button type="button" aria-pressed={row.picked ?? false} className={`${styles.name} ${styles.pick}`} onClick={row.onPick}>
              {row.name}
            </button>
          ) : (
            <span className={styles.name}>{row.name}</span>
          )}
          <bdi className={styles.count}>{row.shown}</bdi>
        </li>
      ))}
    </ol>
  )
}
