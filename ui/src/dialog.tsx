import { Fragment, lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-panel.tsx'
import { useOpening } from './use-opening.ts'
import { useReturnFocus } from './use-return-focus.ts'

const Panel = lazy(() => import('./dialog-panel.tsx').then((module) => ({ default: module.DialogPanel })))

/** A question of 480 px in the middle of the window. Loaded when first opened. */
export function Dialog(props: DialogProps) {
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
