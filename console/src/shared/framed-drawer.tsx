import { Drawer } from '@instep/ui/drawer.tsx'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { DrawerFrameProvider } from './drawer-frame.tsx'
import styles from './framed-drawer.module.css'

interface FramedDrawerProps {
  opened: boolean
  title: string
  /** Before the title. */
  mark?: ReactNode
  aside?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A drawer whose content fills its footer (`FrameFooter`) and may keep it from closing (`useFrameClose`). */
export function FramedDrawer({ opened, title, mark, aside, onClose, children }: FramedDrawerProps) {
  const [footer, setFooter] = useState<HTMLElement | null>(null)
  const asked = useRef<(() => void) | null>(null)
  const frame = useMemo(() => ({ footer, onClose: asked }), [footer])
  return (
    <Drawer
      opened={opened}
      onClose={() => (asked.current ?? onClose)()}
      title={title}
      mark={mark}
      aside={aside}
      footer={<div ref={setFooter} className={styles.footer} />}
    >
      <DrawerFrameProvider value={frame}>{children}</DrawerFrameProvider>
    </Drawer>
  )
}
