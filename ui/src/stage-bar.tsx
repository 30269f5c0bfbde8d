import styles from './stage-bar.module.css'

export interface StageShown {
  key: string
  /** The stage in words: Read, Match, Compare, Apply. */
  name: string
  /** `stopped`: it was under way when the run ended. */
  state: 'waiting' | 'running' | 'done' | 'stopped'
  /** Share done, 0 to 1; null when the total is not known yet. */
  share: number | null
  /** "48,213 rows"; empty while waiting. */
  count: string
  /** "4 m 12 s"; empty while waiting. */
  time: string
}

interface StageBarProps {
  /** The bar's name for screen readers. */
  label: string
  stages: readonly StageShown[]
}

const shareOf = (stage: StageShown): number => (stage.state === 'done' ? 1 : stage.state === 'waiting' ? 0 : (stage.share ?? 0))

/** A run as a row of stages; the running one fills, one that was stopped stays as it was. */
export function StageBar({ label, stages }: StageBarProps) {
  return (
    <ol className={styles.bar} aria-label={label}>
      {stages.map((stage) => {
        const unknown = stage.state === 'running' && stage.share === null
        return (
          <li
            key={stage.key}
            className={`${styles.stage} ${stage.state === 'waiting' ? styles.waiting : ''}`}
            aria-current={stage.state === 'running' ? 'step' : undefined}
          >
            <span className={styles.line}>
              <span
                className={`${styles.fill} ${unknown ? styles.unknown : ''}`}
                style={unknown ? undefined : { transform: `scaleX(${shareOf(stage)})` }}
              />
            </span>
            <span className={styles.name}>{stage.name}</span>
            <span className={styles.facts}>
              <bdi>{stage.count}</bdi>
              <bdi>{stage.time}</bdi>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
