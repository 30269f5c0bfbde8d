import { Icon } from '@instep/ui/icon.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconLanguage } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useConsole } from './console-store.ts'
import styles from './top-bar.module.css'

const LanguageList = lazy(() => import('./language-list.tsx').then((module) => ({ default: module.LanguageList })))

interface LanguagePickerProps {
  small: boolean
}

/** Chooses the language of the console; the list is loaded when it is first opened. */
export function LanguagePicker({ small }: LanguagePickerProps) {
  const { t } = useTranslation('shell')
  const language = useConsole((state) => state.language)
  const code = language.split('_')[0]?.toUpperCase() ?? ''
  const label = t('language.pick', { name: code })
  return (
    <Popover
      align="end"
      width="420px"
      trigger={(props) => (
        <button type="button" {...props} className={styles.tool} aria-label={label} data-tip={t('language.title')}>
          <Icon of={IconLanguage} size={17} />
          {!small && <span aria-hidden="true">{code}</span>}
        </button>
      )}
    >
      {(close) => (
        <Suspense fallback={null}>
          <LanguageList onDone={close} />
        </Suspense>
      )}
    </Popover>
  )
}
