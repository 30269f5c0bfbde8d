import { Icon, type IconShape } from '@instep/ui/icon.tsx'
import { Menu } from '@instep/ui/menu.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Theme, useConsole } from './console-store.ts'
import styles from './top-bar.module.css'

const THEMES: readonly { key: Theme; icon: IconShape }[] = [
  { key: 'light', icon: IconSun },
  { key: 'dark', icon: IconMoon },
  { key: 'system', icon: IconDeviceDesktop },
]

/** Chooses light, dark, or as the system. */
export function ThemeMenu() {
  const { t } = useTranslation('shell')
  const theme = useConsole((state) => state.theme)
  const set = useConsole((state) => state.set)
  const icon = THEMES.find((one) => one.key === theme)?.icon ?? IconDeviceDesktop
  return (
    <Popover
      align="end"
      width="200px"
      holds="menu"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className={styles.tool}
          aria-label={`${t('theme.pick')}: ${t(`theme.${theme}`)}`}
          data-tip={t('theme.pick')}
        >
          <Icon of={icon} size={17} />
        </button>
      )}
    >
      {(close) => (
        <Menu
          label={t('theme.pick')}
          items={THEMES.map((one) => ({ key: one.key, icon: one.icon, label: t(`theme.${one.key}`), checked: one.key === theme }))}
          onPick={(key) => {
            set({ theme: key as Theme })
            close()
          }}
        />
      )}
    </Popover>
  )
}
