import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import styles from './folder-tabs.module.css'
import { IconButton } from './icon-button.tsx'

export interface FolderTab {
  key: string
  title: string
  href: string
  /** The name of its close button, "Close People"; absent when it cannot be closed. */
  closeLabel?: string | undefined
}

interface FolderTabsProps {
  label: string
  tabs: readonly FolderTab[]
  current: string
  onOpen: (tab: FolderTab) => void
  onClose: (tab: FolderTab) => void
}

const isPlain = (event: MouseEvent): boolean => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** Scrolls no further than it must. `scrollIntoView` would also make Chromium's next Tab start at the tab instead of at the top of the page. */
const bringIntoView = (list: Element, tab: Element): void => {
  const [frame, box] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
  list.scrollBy({ left: Math.min(0, box.left - frame.left) || Math.max(0, box.right - frame.right) })
}

/** Opened pages as tabs that join the sheet. Arrow keys, Home and End move between them, Delete closes the one in focus. */
export function FolderTabs({ label, tabs, current, onOpen, onClose }: FolderTabsProps) {
  const list = useRef<HTMLUListElement>(null)
  const links = () => [...(list.current?.querySelectorAll('a') ?? [])]

  const currentTitle = tabs.find((tab) => tab.key === current)?.title

  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab comes into view whenever another is current, and when its name grows
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-current]')?.parentElement
    if (list.current && tab) bringIntoView(list.current, tab)
  }, [current, currentTitle])

  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const at = links().indexOf(event.target as HTMLAnchorElement)
    const tab = tabs[at]
    if (!tab) return
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const last = tabs.length - 1
    const next = { [forward]: at === last ? 0 : at + 1, [back]: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (next !== undefined) links()[next]?.focus()
    else if (event.key === 'Delete' && tab.closeLabel) {
      onClose(tab)
      links()[at === 0 ? 1 : at - 1]?.focus()
    } else return
    event.preventDefault()
  }

  return (
    <nav aria-label={label} style={{ display: 'contents' }}>
      <ul ref={list} className={styles.tabs} onKeyDown={move}>
        {tabs.map((tab) => (
          <li key={tab.key} className={`${styles.tab} ${tab.key === current ? styles.current : ''}`}>
            <a
              href={tab.href}
              aria-current={tab.key === current ? 'page' : undefined}
              onClick={(event) => {
                if (!isPlain(event)) return
                event.preventDefault()
                onOpen(tab)
              }}
            >
              {tab.title}
            </a>
            {tab.closeLabel && <IconButton small icon={IconX} label={tab.closeLabel} onClick={() => onClose(tab)} />}
          </li>
        ))}
      </ul>
    </nav>
  )
}
