import styles from './progress-bar.module.css'

interface ProgressBarProps {
  label: string
  /** 0 to 1. */
  share: number
}

/** How much of one thing is done. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${share})` }} />
    </div>
  )
}
