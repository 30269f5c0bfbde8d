import type { ComponentProps, ReactNode } from 'react'
import { FrameFooter } from './drawer-frame.tsx'
import { FormButtons } from './form-buttons.tsx'
import styles from './framed-drawer.module.css'

interface FormFooterProps extends ComponentProps<typeof FormButtons> {
  /** Why it was not saved, once that is known. */
  failure: ReactNode
  /** What else may be done, at the start. */
  action?: ReactNode
}

/** The foot of a form in a drawer: why it was not saved, then Cancel and Save. */
export function FormFooter({ failure, action, ...buttons }: FormFooterProps) {
  return (
    <FrameFooter>
      {action}
      <div className={styles.failure} role="status">
        {failure}
      </div>
      <FormButtons {...buttons} />
    </FrameFooter>
  )
}
