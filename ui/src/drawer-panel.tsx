import { type ReactNode, type RefObject, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Drawer.css'
import { Drawer as Mantine } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import styles from './drawer.module.css'
import { IconButton } from './icon-button.tsx'
import { MantineScope } from './mantine-scope.tsx'
import { useUiWords } from './ui-words.tsx'
import { useInertShell } from './use-inert-shell.ts'

export interface DrawerProps {
  opened: boolean
  /** Told on Escape, on a click beside the drawer and on its close button. */
  onClose: () => void
  /** Title and accessible name. */
  title: string
  /** Beside the title: a name and an id, a copy button. */
  aside?: ReactNode
  /** Before the title: an avatar. */
  mark?: ReactNode
  /** `form` is 760 px, `logs` 60 % of the window. */
  width?: 'form' | 'logs' | undefined
  /** Fixed below the content: buttons at the inline end. */
  footer?: ReactNode
  children: ReactNode
}

const WIDTHS = { form: 'min(760px, 100vw)', logs: 'max(60vw, min(640px, 100vw))' }

/** Escape closes the drawer once nothing inside of it has taken the key: an open list, a calendar, a question above. */
const useEscape = (opened: boolean, content: RefObject<HTMLDivElement | null>, onClose: () => void): void => {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!opened) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !(event.target instanceof Element)) return
      const dialog = content.current?.closest('[role="dialog"]')
      const above = event.target.closest('dialog, [role="dialog"]')
      if (above === null || above === dialog) close()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [opened, content])
}

/** The drawer itself; load it through `drawer.tsx`. */
export function DrawerPanel({ opened, onClose, title, aside, mark, width = 'form', footer, children }: DrawerProps) {
  const words = useUiWords()
  const content = useRef<HTMLDivElement>(null)
  useInertShell(opened)
  useEscape(opened, content, onClose)
  return (
    <MantineScope>
      <Mantine.Root
        opened={opened}
        onClose={onClose}
        position="right"
        size={WIDTHS[width]}
        closeOnEscape={false}
        lockScroll={false}
        returnFocus={false}
        transitionProps={{ duration: 160, timingFunction: 'cubic-bezier(.2,.7,.2,1)' }}
      >
        <Mantine.Overlay backgroundOpacity={1} color="var(--scrim)" />
        <Mantine.Content aria-label={title}>
          <div ref={content} className={styles.content}>
            <header className={styles.head}>
              {mark}
              <div className={styles.words}>
                <h2>{title}</h2>
                {aside && <span className={styles.aside}>{aside}</span>}
              </div>
              <IconButton icon={IconX} label={words.close} onClick={onClose} />
            </header>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
            <section className={styles.body} aria-label={title} tabIndex={0} data-autofocus>
              {/* what is not loaded yet leaves the frame standing */}
              <Suspense fallback={null}>{children}</Suspense>
            </section>
            {footer && <footer className={styles.footer}>{footer}</footer>}
          </div>
        </Mantine.Content>
      </Mantine.Root>
    </MantineScope>
  )
}
