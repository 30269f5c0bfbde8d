import { type ReactNode, Suspense } from 'react'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import styles from './dialog.module.css'
import { MantineScope } from './mantine-scope.tsx'
import { useInertShell } from './use-inert-shell.ts'

export interface DialogProps {
  opened: boolean
  /** Told on Escape and on a click beside the dialog; absent when one of its buttons must be chosen. */
  onClose?: (() => void) | undefined
  /** Title and accessible name. */
  title: string
  /** Buttons at the inline end. */
  footer?: ReactNode
  children: ReactNode
}

/** The dialog itself; load it through `dialog.tsx`. */
export function DialogPanel({ opened, onClose, title, footer, children }: DialogProps) {
  useInertShell(opened)
  return (
    <MantineScope>
      <Modal.Root
        opened={opened}
        onClose={onClose ?? (() => undefined)}
        closeOnEscape={Boolean(onClose)}
        closeOnClickOutside={Boolean(onClose)}
        centered
        radius="lg"
        size="480px"
        zIndex={300}
        lockScroll={false}
        returnFocus={false}
        transitionProps={{ duration: 160, transition: 'fade' }}
      >
        <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
        <Modal.Content aria-label={title}>
          <div className={styles.content}>
            <h2>{title}</h2>
            <div className={styles.body}>
              {/* what is not loaded yet leaves the frame standing */}
              <Suspense fallback={null}>{children}</Suspense>
            </div>
            {footer && <div className={styles.footer}>{footer}</div>}
          </div>
        </Modal.Content>
      </Modal.Root>
    </MantineScope>
  )
}
