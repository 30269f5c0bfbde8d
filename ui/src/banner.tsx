import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './banner.module.css'
import { Icon, type IconShape } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { useUiWords } from './ui-words.tsx'

export type BannerTone = 'warn' | 'danger' | 'ok' | 'plain'

const ICONS: Record<BannerTone, IconShape> = { warn: IconAlertTriangle, danger: IconCircleX, ok: IconCircleCheck, plain: IconInfoCircle }

interface BannerProps {
  tone: BannerTone
  /** The sentence; a second element below it is set lighter. */
  children: ReactNode
  actions?: ReactNode
  /** With rounded outline inside a page; without across the top. */
  boxed?: boolean | undefined
  /** Speaks at once. */
  alert?: boolean | undefined
  onDismiss?: (() => void) | undefined
}

/** One sentence that concerns the whole page or application. */
export function Banner({ tone, children, actions, boxed = false, alert = false, onDismiss }: BannerProps) {
  const words = useUiWords()
  return (
    <div className={`${styles.banner} ${styles[tone]} ${boxed ? styles.boxed : ''}`} role={alert ? 'alert' : 'status'}>
      <Icon of={ICONS[tone]} size={16} />
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {onDismiss && <IconButton icon={IconX} label={words.dismiss} data-dismiss onClick={onDismiss} />}
    </div>
  )
}
