import type { ComponentType } from 'react'

/** Any Tabler outline icon. */
export type IconShape = ComponentType<{ size?: number; stroke?: number; className?: string; 'aria-hidden'?: boolean }>

interface IconProps {
  of: IconShape
  /** 17 in navigation, 15 in buttons, 14 in badges. */
  size?: number | undefined
  /** Set on icons that point somewhere: they turn round in right-to-left languages. */
  mirrors?: boolean | undefined
  className?: string | undefined
}

/** A Tabler icon in the house stroke, silent to screen readers: the words stand beside it or on its button. */
export function Icon({ of: Shape, size = 15, mirrors = false, className = '' }: IconProps) {
  return <Shape size={size} stroke={1.7} className={mirrors ? `mirrors ${className}` : className} aria-hidden={true} />
}
