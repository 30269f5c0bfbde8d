import styles from './claim-track.module.css'

export type ClaimTrackStatus = 'awaitingInvitation' | 'invited' | 'claimed' | 'inactive' | 'deactivated'

const FILLED: Record<ClaimTrackStatus, number> = { awaitingInvitation: 1, invited: 2, claimed: 3, inactive: 0, deactivated: 0 }
const STEPS = [0, 1, 2]

interface ClaimTrackProps {
  status: ClaimTrackStatus
  /** The status in words; it follows the mark. */
  word: string
}

const stepClass = (status: ClaimTrackStatus, step: number): string => {
  if (FILLED[status] === 0) return `${styles.step} ${styles.dash}`
  if (step >= FILLED[status]) return styles.step ?? ''
  return `${styles.step} ${status === 'claimed' ? styles.done : styles.filled}`
}

/** How far an account has come: three steps and a word. */
export function ClaimTrack({ status, word }: ClaimTrackProps) {
  return (
    <span className={styles.status}>
      <span className={styles.track} aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} className={stepClass(status, step)} />
        ))}
      </span>
      {word}
    </span>
  )
}
