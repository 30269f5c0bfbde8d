import styles from './avatar.module.css'
import { initials } from './initials.ts'

interface AvatarProps {
  name: string
  large?: boolean | undefined
}

/** A person's initials in a round; the name itself stands beside it. */
export function Avatar({ name, large = false }: AvatarProps) {
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
