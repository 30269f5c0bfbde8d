import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useReturnFocus } from './use-return-focus.ts'

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

const Panel = lazy(() => import('./drawer-panel.tsx').then((module) => ({ default: module.DrawerPanel })))

/** A panel that slides in at the inline end; the shell beneath is inert, and focus returns to where it was. Loaded when first opened. */
export function Drawer(props: DrawerProps) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  useReturnFocus(props.opened)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
