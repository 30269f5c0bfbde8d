import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import styles from './count-tabs.module.css'

export interface CountTab<Key extends string> {
  key: Key
  label: string
  /** The formatted count. */
  count?: string | undefined
}

interface CountTabsProps<Key extends string> {
  label: string
  tabs: readonly CountTab<Key>[]
  current: Key
  onChange: (key: Key) => void
  /** The id of the element that shows the chosen tab's content; give it `role="tabpanel"`. */
  panelId: string
}

/** Tabs within a page, each with a count. Arrow keys, Home and End choose. */
export function CountTabs<Key extends string>({ label, tabs, current, onChange, panelId }: CountTabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.key === current)
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? tabs.length - 1 : step && (at + step + tabs.length) % tabs.length
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab || next === undefined) return
    event.preventDefault()
    onChange(tab.key)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  // where the tabs do not all fit, the chosen one is in sight
  useLayoutEffect(() => {
    const tab = list.current?.querySelector(`[data-key="${CSS.escape(current)}"]`)
    if (!list.current || !tab) return
    const [frame, place] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    list.current.scrollLeft += Math.max(0, place.right - frame.right) + Math.min(0, place.left - frame.left)
  }, [current])
  return (
    <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          data-key={tab.key}
          className={styles.tab}
          aria-selected={tab.key === current}
          aria-controls={panelId}
          tabIndex={tab.key === current ? 0 : -1}
          onClick={() => onChange(tab.key)}
        >
          {tab.label}
          {tab.count !== undefined && <bdi className={styles.count}>{tab.count}</bdi>}
        </button>
      ))}
    </div>
  )
}
