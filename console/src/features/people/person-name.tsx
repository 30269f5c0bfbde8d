import type { UserRow } from '@instep/contract/users.ts'
import { Avatar } from '@instep/ui/avatar.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { IconCrown, IconLock, IconPencil } from '@tabler/icons-react'
import styles from './people.module.css'

/** What the marks of a person mean, in words. */
interface MarkWords {
  locked: string
  vip: string
  overridden: string
}

interface PersonNameProps {
  row: UserRow
  words: MarkWords
}

/** Name with employee id and marks. Draws what it is given and asks nothing: it stands in long lists. */
export function PersonName({ row, words }: PersonNameProps) {
  return (
    <span className={styles.name}>
      <Avatar name={row.displayName} />
      <span className={styles.whoId}>
        <bdi className={styles.who}>{row.displayName}</bdi> <bdi className={`${styles.id} figures`}>{row.employeeId}</bdi>
      </span>
      {row.locked && <IconMark icon={IconLock} label={words.locked} tone="idle" />}
      {row.vip && <IconMark icon={IconCrown} label={words.vip} tone="vip" />}
      {row.overridden && <IconMark icon={IconPencil} label={words.overridden} tone="override" />}
    </span>
  )
}
