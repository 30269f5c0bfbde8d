import { Banner } from '@instep/ui/banner.tsx'
import type { ReactNode } from 'react'
import styles from './framed-drawer.module.css'

/** Above a form: that what was typed has come back, or why nothing can be typed. */
export function FormNotice({ children }: { children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <Banner tone="plain" boxed>
        {children}
      </Banner>
    </div>
  )
}
