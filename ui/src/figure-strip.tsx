import type { ReactNode } from 'react'
import styles from './figure-strip.module.css'

interface FigureStripProps {
  /** `KeyFigure`s. */
  children: ReactNode
}

/** Key figures in a row, separated by lines. */
export function FigureStrip({ children }: FigureStripProps) {
  return <dl className={styles.strip}>{children}</dl>
}
