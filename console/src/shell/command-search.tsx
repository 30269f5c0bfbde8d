import { Icon } from '@instep/ui/icon.tsx'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './top-bar.module.css'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })))

interface CommandSearchProps {
  small: boolean
}

/** Opens the command palette, by click or Ctrl K; the palette is loaded when it is first opened. */
export function CommandSearch({ small }: CommandSearchProps) {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', key)
    return () => document.removeEventListener('keydown', key)
  }, [])
  return (
    <>
      <button
        type="button"
        className={small ? styles.tool : styles.search}
        aria-label={small ? t('search.open') : undefined}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of={IconSearch} size={small ? 17 : 15} />
        {!small && (
          <>
            <span>{t('search.open')}</span>
            <kbd>Ctrl K</kbd>
          </>
        )}
      </button>
      {open && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
