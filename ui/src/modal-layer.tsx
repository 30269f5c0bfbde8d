import { type ReactNode, useEffect, useRef } from 'react'
import styles from './modal-layer.module.css'

interface ModalLayerProps {
  label: string
  onClose: () => void
  children: ReactNode
  /** In pixels. */
  width?: number | undefined
  /** Near the top of the window instead of in the middle: for lists that grow. */
  high?: boolean | undefined
}

/**
 * The browser's own modal dialog: above everything, all else inert. Mount it to open it; Escape and a click beside it close it. Focus starts on
 * what is marked `data-autofocus`, else on the first control.
 */
export function ModalLayer({ label, onClose, children, width = 480, high = false }: ModalLayerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the browser's own doing
    <dialog
      ref={dialog}
      aria-label={label}
      className={`${styles.layer} ${high ? styles.high : ''}`}
      style={{ ['--modal-width' as string]: `${width}px` }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  )
}
