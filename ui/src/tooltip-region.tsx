import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './tooltip.module.css'

interface Tip {
  text: string
  anchor: DOMRect
}

const GAP = 6
const EDGE = 8
const DELAY = 250

const tipOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

/**
 * The one tooltip of the application: shows the `data-tip` of whatever is pointed at or focused by keyboard, so that a list of a thousand
 * rows mounts none. Escape hides it. The words must also be the element's accessible name or description.
 */
export function TooltipRegion() {
  const [tip, setTip] = useState<Tip | null>(null)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: number | undefined
    const hide = () => {
      window.clearTimeout(timer)
      setTip(null)
    }
    const show = (element: HTMLElement, delay: number) => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        const text = element.dataset['tip']
        if (text && element.isConnected) setTip({ text, anchor: element.getBoundingClientRect() })
      }, delay)
    }
    const over = (event: Event) => {
      const element = tipOf(event.target)
      if (element) show(element, DELAY)
      else hide()
    }
    const focus = (event: Event) => {
      const element = tipOf(event.target)
      if (element?.matches(':focus-visible')) show(element, 0)
      else hide()
    }
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const listeners = [
      ['pointerover', over],
      ['focusin', focus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', key],
    ] as const
    for (const [name, listener] of listeners) document.addEventListener(name, listener as EventListener)
    document.addEventListener('scroll', hide, true)
    return () => {
      window.clearTimeout(timer)
      for (const [name, listener] of listeners) document.removeEventListener(name, listener as EventListener)
      document.removeEventListener('scroll', hide, true)
    }
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!tip || !element) return
    const { width, height } = element.getBoundingClientRect()
    const middle = tip.anchor.left + tip.anchor.width / 2 - width / 2
    const x = Math.max(EDGE, Math.min(middle, window.innerWidth - width - EDGE))
    const below = tip.anchor.bottom + GAP
    const y = below + height > window.innerHeight - EDGE ? tip.anchor.top - height - GAP : below
    const start = document.documentElement.dir === 'rtl' ? x - (window.innerWidth - width) : x
    element.style.translate = `${start}px ${y}px`
  }, [tip])

  if (!tip) return null
  return createPortal(
    <div ref={box} className={styles.tip} role="presentation" aria-hidden="true">
      {tip.text}
    </div>,
    document.body,
  )
}
