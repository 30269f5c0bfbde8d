import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import field from './field.module.css'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './search-field.module.css'
import { useUiWords } from './ui-words.tsx'
import { useTooLong } from './use-too-long.ts'

interface SearchFieldProps {
  label: string
  placeholder?: string | undefined
  value: string
  /** More characters than this are said to be too many; nothing is searched for then. */
  longest: number
  /** Told once typing has paused for `delay` milliseconds, at once on Enter and on clearing. */
  onChange: (value: string) => void
  delay?: number | undefined
}

/** A search input for toolbars that waits for a pause in typing. */
export function SearchField({ label, placeholder, value, longest, onChange, delay = 250 }: SearchFieldProps) {
  const words = useUiWords()
  const errorId = useId()
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  const tooLong = useTooLong(typed, longest)
  useEffect(() => {
    if (typed === value || tooLong) return
    const timer = window.setTimeout(() => latest.current(typed), delay)
    return () => window.clearTimeout(timer)
  }, [typed, value, tooLong, delay])

  const clear = () => {
    setTyped('')
    onChange('')
    input.current?.focus()
  }
  return (
    <div className={styles.frame}>
      <div className={styles.search}>
        <Icon of={IconSearch} />
        <input
          ref={input}
          type="search"
          autoComplete="off"
          spellCheck={false}
          aria-label={label}
          aria-invalid={tooLong ? true : undefined}
          aria-describedby={tooLong ? errorId : undefined}
          placeholder={placeholder ?? label}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && typed !== value && !tooLong && onChange(typed)}
        />
        {typed && <IconButton className={styles.clear} icon={IconX} label={words.clear} small onClick={clear} />}
      </div>
      {tooLong && (
        <span id={errorId} role="alert" className={field.error}>
          {tooLong}
        </span>
      )}
    </div>
  )
}
