import { BrandMark } from './brand-mark.tsx'
import styles from './loader.module.css'

interface LoaderProps {
  /** What is waited for. */
  label: string
}

/** Fills its place while something loads; appears after 300 ms. */
export function Loader({ label }: LoaderProps) {
  return (
    <div className={styles.loader} role="status">
      <BrandMark size={32} />
      <span className={styles.line} />
      <span>{label}</span>
    </div>
  )
}
