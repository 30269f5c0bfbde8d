import { IconButton } from '@instep/ui/icon-button.tsx'
import { IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CommandSearch } from './command-search.tsx'
import { LanguagePicker } from './language-picker.tsx'
import { OpenedTabs } from './opened-tabs-bar.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  narrow: boolean
  onNavigation: () => void
}

/** Folder tabs, then search, language, colour scheme and profile. */
export function TopBar({ narrow, onNavigation }: TopBarProps) {
  const { t } = useTranslation('shell')
  return (
    <header className={styles.bar}>
      {narrow && <IconButton icon={IconMenu2} label={t('openNavigation')} onClick={onNavigation} />}
      <div className={styles.tabs}>
        <OpenedTabs />
      </div>
      <div className={styles.tools}>
        <CommandSearch small={narrow} />
        <LanguagePicker small={narrow} />
        <ThemeMenu />
        <ProfileMenu />
      </div>
    </header>
  )
}
