import styles from './avatar.module.css'
import { initials } from './initials.ts'

interface AvatarProps {
  name: string
  large?: boolean | undefined
}

/** A person's initials in a round; the name itself stands beside it. */
export function Avatar({ name, large = false }: AvatarProps) {
  return (
    // The letters are drawn by the style sheet, so that they are no part of the name of a button around them.
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} data-initials={initials(name)} aria-hidden="true" />
  )
}
