import { IconCheck, IconSearch } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconShape } from './icon.tsx'
import styles from './search-list.module.css'

export interface ListOption {
  key: string
  label: string
  /** Shown at the inline end, perhaps in another language. */
  note?: { text: string; lang?: string } | undefined
  /** Options of one group stand together; the name is shown above the first. */
  group?: string | undefined
  icon?: IconShape | undefined
}

interface SearchListProps {
  label: string
  placeholder: string
  /** Already filtered by `search`. */
  options: readonly ListOption[]
  search: string
  onSearch: (search: string) => void
  onPick: (option: ListOption) => void
  /** The key of what is chosen now. */
  picked?: string | null | undefined
  /** Said when nothing matches. */
  empty: ReactNode
  /** Takes the focus when it appears: for what was just opened. */
  takesFocus?: boolean | undefined
}

/** A search input over a list of options, worked by keyboard from the input: arrows, Home, End, Enter. */
export function SearchList(props: SearchListProps) {
  const { label, placeholder, options, search, onSearch, onPick, picked, empty, takesFocus = true } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.key === picked),
    ),
  )
  const active = Math.min(at, options.length - 1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when it appears
  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option comes into view whenever another is active
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = options.length - 1
    const next = { ArrowDown: active >= last ? 0 : active + 1, ArrowUp: active <= 0 ? last : active - 1, Home: 0, End: last }[event.key]
    const option = options[active]
    if (next !== undefined) setAt(next)
    else if (event.key === 'Enter' && option) onPick(option)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.list}>
      <div className={styles.field}>
        <Icon of={IconSearch} />
        <input
          ref={input}
          type="search"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={options[active] ? `${id}-${active}` : undefined}
          placeholder={placeholder}
          value={search}
          onChange={(event) => {
            setAt(0)
            onSearch(event.currentTarget.value)
          }}
          onKeyDown={press}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={label} className={styles.options}>
        {options.map((option, index) => (
          <Fragment key={option.key}>
            {option.group && option.group !== options[index - 1]?.group && (
              <div className={styles.group} role="presentation">
                <bdi>{option.group}</bdi>
              </div>
            )}
            {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, which names the active option */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-current={option.key === picked ? 'true' : undefined}
              className={`${styles.option} ${index === active ? styles.active : ''}`}
              onPointerMove={() => index !== active && setAt(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(option)}
            >
              {option.icon && <Icon of={option.icon} />}
              <span className={`${styles.label} ${option.key === picked ? styles.picked : ''}`}>
                <bdi>{option.label}</bdi>
              </span>
              {option.note && (
                <bdi className={styles.note} lang={option.note.lang}>
                  {option.note.text}
                </bdi>
              )}
              {option.key === picked && <Icon of={IconCheck} size={14} />}
            </div>
          </Fragment>
        ))}
        {options.length === 0 && (
          <div className={styles.empty} role="presentation">
            {empty}
          </div>
        )}
      </div>
    </div>
  )
}
