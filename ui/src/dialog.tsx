import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useReturnFocus } from './use-return-focus.ts'

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

const Panel = lazy(() => import('./dialog-panel.tsx').then((module) => ({ default: module.DialogPanel })))

/** A question of 480 px in the middle of the window. Loaded when first opened. */
export function Dialog(props: DialogProps) {
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
