import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './popover.module.css'

interface TriggerProps {
  'aria-expanded': boolean
  'aria-haspopup': 'dialog' | 'listbox' | 'menu'
  onClick: () => void
}

interface PopoverProps {
  /** The button that opens it; spread the given properties on it. */
  trigger: (props: TriggerProps) => ReactNode
  /** What it shows; call `close` when something was chosen. */
  children: (close: () => void) => ReactNode
  /** Which edge of the trigger the panel keeps to. */
  align?: 'start' | 'end' | undefined
  /** Opens upwards: for what stands at the bottom of a window or drawer. */
  above?: boolean | undefined
  /** CSS width of the panel. */
  width?: string | undefined
  holds?: 'dialog' | 'listbox' | 'menu' | undefined
  className?: string | undefined
}

/** A panel under a button. A click elsewhere, Escape or moving focus out closes it; Escape returns focus to the button. */
export function Popover({ trigger, children, align = 'start', above = false, width, holds = 'dialog', className = '' }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    const down = (event: PointerEvent) => {
      if (event.target instanceof Node && !anchor.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', down)
    return () => document.removeEventListener('pointerdown', down)
  }, [open])
  const close = () => {
    setOpen(false)
    anchor.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to keys and focus of what is inside
    <div
      ref={anchor}
      className={`${styles.anchor} ${className}`}
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        close()
      }}
    >
      {trigger({ 'aria-expanded': open, 'aria-haspopup': holds, onClick: () => setOpen(!open) })}
      {open && (
        <div
          className={`${styles.panel} ${align === 'end' ? styles.end : ''} ${above ? styles.above : ''} ${styles.wide}`}
          style={{ inlineSize: width }}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}
