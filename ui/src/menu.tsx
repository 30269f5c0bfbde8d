import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Icon, type IconShape } from './icon.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  key: string
  label: string
  icon?: IconShape | undefined
  mirrors?: boolean | undefined
  /** Given for a choice of one: whether this is the one. */
  checked?: boolean | undefined
  /** A line stands above it. */
  divided?: boolean | undefined
}

interface MenuProps {
  label: string
  items: readonly MenuItem[]
  onPick: (key: string) => void
}

/** A short list of commands or a choice of one, for a `Popover`. Focus starts on it; arrow keys, Home and End move. */
export function Menu({ label, items, onPick }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const buttons = () => [...(menu.current?.querySelectorAll('button') ?? [])]
  useEffect(() => {
    const all = menu.current?.querySelectorAll('button')
    const start = menu.current?.querySelector<HTMLElement>('[aria-checked="true"]') ?? all?.[0]
    start?.focus()
  }, [])
  const move = (event: KeyboardEvent) => {
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const last = all.length - 1
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <div ref={menu} role="menu" aria-label={label} className={styles.menu} onKeyDown={move}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          {...(item.checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': item.checked })}
          tabIndex={-1}
          className={`${styles.item} ${item.divided ? styles.divided : ''}`}
          onClick={() => onPick(item.key)}
        >
          {item.icon && <Icon of={item.icon} size={16} mirrors={item.mirrors} />}
          <span>{item.label}</span>
          {item.checked && <Icon of={IconCheck} size={14} />}
        </button>
      ))}
    </div>
  )
}
