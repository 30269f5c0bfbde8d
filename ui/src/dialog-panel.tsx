import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import styles from './dialog.module.css'
import type { DialogProps } from './dialog.tsx'
import { MantineScope } from './mantine-scope.tsx'
import { useInertShell } from './use-inert-shell.ts'

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
            <div className={styles.body}>{children}</div>
            {footer && <div className={styles.footer}>{footer}</div>}
          </div>
        </Modal.Content>
      </Modal.Root>
    </MantineScope>
  )
}
