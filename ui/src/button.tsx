import { type ComponentProps, type MouseEvent, useId } from 'react'
import styles from './button.module.css'
import { Icon, type IconShape } from './icon.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
/** `toolbar` is 30 px high, `form` 36 px. */
export type ButtonSize = 'toolbar' | 'form'

/** The class of a button, for links that look like one. */
export const buttonClass = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'toolbar'): string =>
  `${styles.button} ${styles[variant]} ${size === 'form' ? styles.form : ''}`

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** One `primary` per view. */
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  icon?: IconShape | undefined
  /** Why it cannot be used now; the button stays focusable and says so in its tooltip and to screen readers. */
  disabledReason?: string | null | undefined
  /** The action is under way: a ring turns, further clicks do nothing. */
  busy?: boolean | undefined
}

/** A button that, when it cannot be used, says why. A double click presses it once. */
export function Button({ variant, size, icon, disabledReason, busy = false, children, onClick, className = '', ...rest }: ButtonProps) {
  const reasonId = useId()
  const off = Boolean(disabledReason) || busy
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // the second click of a double click asks for nothing new, though the first may have been answered meanwhile
    if (off || event.detail > 1) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(variant, size)} ${className}`}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      data-tip={disabledReason || undefined}
      onClick={click}
    >
      {busy ? <span className={styles.ring} aria-hidden="true" /> : icon && <Icon of={icon} />}
      {children}
      {disabledReason && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  )
}
