import { IconSelector } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import styles from './combo-field.module.css'
import control from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { useTooLong } from './use-too-long.ts'

export interface ComboOption {
  key: string
  label: string
  /** A second line. */
  detail?: string | null | undefined
}

interface ComboFieldProps extends FieldProps {
  name?: string | undefined
  value: string
  /** Already narrowed to what was searched for; undefined while they load. */
  options: readonly ComboOption[] | undefined
  /** What is searched for while the list is open: nothing when it was just opened, else what was typed. Null: the list is closed. */
  onSearch: (search: string | null) => void
  /** Told with every letter that is typed. */
  onChange: (value: string) => void
  onPick: (option: ComboOption) => void
  onBlur?: (() => void) | undefined
  /** Told that Enter was pressed on what is typed, with nothing of the list chosen. */
  onEnter?: (() => void) | undefined
  placeholder?: string | undefined
  /** More characters than this are said to be too many, never cut off. */
  longest?: number | undefined
  /** 30 px high, for toolbars. */
  toolbar?: boolean | undefined
  /** Said where nothing was found. */
  empty: string
  /** Said while the options load. */
  loading: string
}

/** A text input that suggests: a value is picked from the list or written freely. Arrow keys, Enter and Escape work the list. */
export function ComboField(props: ComboFieldProps) {
  const { name, value, options, onSearch, onChange, onPick, onBlur, onEnter, placeholder, longest, toolbar, empty, loading, ...field } =
    props
  const id = useId()
  const tooLong = useTooLong(value, longest)
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = options ?? []
  const listed = open && shown.length > 0
  const show = (search: string) => {
    setOpen(true)
    setActive(-1)
    onSearch(search)
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
    onSearch(null)
  }
  const pick = (option: ComboOption) => {
    onPick(option)
    close()
  }
  const move = (step: 1 | -1) => {
    if (!open) return show('')
    const next = active + step
    const at = next < 0 ? shown.length - 1 : next >= shown.length ? 0 : next
    setActive(at)
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = open ? shown[active] : undefined
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && option) pick(option)
    else if (event.key === 'Enter' && onEnter && value !== '') onEnter()
    else if (event.key === 'Enter' && open) close()
    else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      close()
    } else return
    event.preventDefault()
  }
  return (
    <Field {...field} error={tooLong ?? field.error}>
      {(wiring) => (
        <span className={`${control.select} ${styles.anchor}`}>
          <input
            {...wiring}
            ref={input}
            type="text"
            role="combobox"
            name={name}
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={listed}
            aria-controls={listed ? id : undefined}
            aria-activedescendant={open && shown[active] ? `${id}-${active}` : undefined}
            className={`${control.control} ${styles.input} ${toolbar ? control.toolbar : ''}`}
            placeholder={placeholder}
            value={value}
            onChange={(event) => {
              onChange(event.currentTarget.value)
              show(event.currentTarget.value)
            }}
            onClick={() => (open ? close() : show(''))}
            onKeyDown={press}
            onBlur={() => {
              if (open) close()
              onBlur?.()
            }}
          />
          <Icon of={IconSelector} size={14} />
          {open && shown.length === 0 && (
            <span className={`${styles.list} ${styles.empty}`} role="status">
              {options ? empty : loading}
            </span>
          )}
          {listed && (
            <div id={id} role="listbox" aria-label={field.label} className={styles.list}>
              {shown.map((option, index) => (
                // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, which names the active option
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys
                <div
                  key={option.key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={option.label === value}
                  className={`${styles.option} ${index === active ? styles.active : ''}`}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => pick(option)}
                >
                  <bdi>{option.label}</bdi>
                  {option.detail && <span className={styles.detail}>{option.detail}</span>}
                </div>
              ))}
            </div>
          )}
        </span>
      )}
    </Field>
  )
}
