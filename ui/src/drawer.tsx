import { Fragment, lazy, Suspense, useState } from 'react'
import type { DrawerProps } from './drawer-panel.tsx'
import { useOpening } from './use-opening.ts'
import { useReturnFocus } from './use-return-focus.ts'

const Panel = lazy(() => import('./drawer-panel.tsx').then((module) => ({ default: module.DrawerPanel })))

/** A panel that slides in at the inline end; the shell beneath is inert, and focus returns to where it was. Loaded when first opened. */
export function Drawer(props: DrawerProps) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  useReturnFocus(props.opened)
  const opening = useOpening(props.opened)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Panel {...props}>
        <Fragment key={opening}>{props.children}</Fragment>
      </Panel>
    </Suspense>
  )
}
