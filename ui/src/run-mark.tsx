import { IconAlertTriangle, IconBan, IconCircle, IconCircleCheck, IconCircleX, IconPlayerPause } from '@tabler/icons-react'
import { Icon, type IconShape } from './icon.tsx'
import styles from './mark.module.css'

export type RunMarkState = 'succeeded' | 'partlySucceeded' | 'failed' | 'running' | 'notRun' | 'disabled' | 'waiting'

const SHAPES: Record<Exclude<RunMarkState, 'running'>, { icon: IconShape; tone: string | undefined }> = {
  succeeded: { icon: IconCircleCheck, tone: styles.ok },
  partlySucceeded: { icon: IconAlertTriangle, tone: styles.warn },
  failed: { icon: IconCircleX, tone: styles.danger },
  notRun: { icon: IconCircle, tone: styles.idle },
  disabled: { icon: IconBan, tone: styles.idle },
  waiting: { icon: IconPlayerPause, tone: styles.warn },
}

interface RunMarkProps {
  state: RunMarkState
  /** The state in words; null where the row already says it, then `word` must stand nearby. */
  word: string | null
  /** Share done while running, 0 to 1. */
  progress?: number | null | undefined
}

/** How a run or job ended, or a turning ring with its percentage while it goes on. */
export function RunMark({ state, word, progress }: RunMarkProps) {
  if (state === 'running') {
    return (
      <span className={styles.mark}>
        <span className={styles.ring} aria-hidden="true" />
        {word}
        {progress != null && <bdi className="figures">{Math.floor(progress * 100)}%</bdi>}
      </span>
    )
  }
  const { icon, tone } = SHAPES[state]
  return (
    <span className={`${styles.mark} ${tone}`}>
      <Icon of={icon} />
      {word}
    </span>
  )
}
