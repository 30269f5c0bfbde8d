import { Icon, type IconShape } from '@instep/ui/icon.tsx'
import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './picker.module.css'

interface PickerButtonProps extends ComponentProps<'button'> {
  icon: IconShape
  /** What it picks, for screen readers. */
  label: string
  name: string
  note?: string | undefined
  /** The icon alone. */
  small: boolean
}

/** The button of a picker in the navigation: what is picked in bold, where it belongs below. */
export function PickerButton({ icon, label, name, note, small, ...rest }: PickerButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.picker} ${small ? styles.small : ''}`}
      aria-label={small ? `${label}: ${[name, note].filter(Boolean).join(', ')}` : undefined}
      data-tip={small ? name : undefined}
    >
      <Icon of={icon} size={17} />
      {!small && (
        <>
          <span className={styles.words}>
            <span className="visually-hidden">{label}</span>
            <span className={styles.name}>{name}</span>
            {note && <span className={styles.note}>{note}</span>}
          </span>
          <Icon of={IconSelector} size={14} />
        </>
      )}
    </button>
  )
}
