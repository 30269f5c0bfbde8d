import { Avatar } from '@instep/ui/avatar.tsx'
import { Menu } from '@instep/ui/menu.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconLogout, IconRowInsertBottom } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { useScope } from '../shared/scope.tsx'
import { useGo } from '../shared/use-go.ts'
import { useConsole } from './console-store.ts'
import styles from './top-bar.module.css'

/** Who is signed in, in which roles; row height; signing out. */
export function ProfileMenu() {
  const { t } = useTranslation('shell')
  const { me } = useScope()
  const go = useGo()
  const density = useConsole((state) => state.density)
  const set = useConsole((state) => state.set)
  const comfortable = density === 'comfortable'
  return (
    <Popover
      align="end"
      width="260px"
      holds="menu"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className={`${styles.tool} ${styles.round}`}
          aria-label={t('profile.open', { name: me.name })}
          data-tip={me.name}
        >
          <Avatar name={me.name} />
        </button>
      )}
    >
      {(close) => (
        <>
          <div className={styles.who}>
            <strong>{me.name}</strong>
            <span>
              <bdi>{me.email}</bdi>
            </span>
            {me.roles.map((role) => (
              <span key={role}>{t(`role.${role.replace('.', '_')}`)}</span>
            ))}
          </div>
          <Menu
            label={t('profile.menu')}
            items={[
              { key: 'density', icon: IconRowInsertBottom, label: t(`density.${comfortable ? 'standard' : 'comfortable'}`) },
              { key: 'signOut', icon: IconLogout, mirrors: true, label: t('profile.signOut') },
            ]}
            onPick={(key) => {
              if (key === 'density') set({ density: comfortable ? 'standard' : 'comfortable' })
              else go(paths.signOut())
              close()
            }}
          />
        </>
      )}
    </Popover>
  )
}
