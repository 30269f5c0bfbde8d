import type { ComponentProps } from 'react'
import { Icon, type IconShape } from './icon.tsx'
import styles from './icon-button.module.css'

export interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconShape
  /** Its accessible name and tooltip. */
  label: string
  small?: boolean | undefined
  mirrors?: boolean | undefined
}

/** A button that shows an icon alone; the words are its name and its tooltip. */
export function IconButton({ icon, label, small = false, mirrors = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${small ? styles.small : ''} ${className}`}
      aria-label={label}
      data-tip={label}
    >
      <Icon of={icon} size={small ? 14 : 17} mirrors={mirrors} />
    </button>
  )
}
