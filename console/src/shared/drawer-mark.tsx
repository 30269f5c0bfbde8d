import { Icon, type IconShape } from '@instep/ui/icon.tsx'
import styles from './framed-drawer.module.css'

/** The round mark beside the title of a drawer that is about nobody yet. */
export function DrawerMark({ icon }: { icon: IconShape }) {
  return (
    <span className={styles.mark}>
      <Icon of={icon} size={16} />
    </span>
  )
}
