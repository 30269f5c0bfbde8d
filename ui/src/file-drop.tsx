import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './file-drop.module.css'
import { Icon } from './icon.tsx'

interface FileDropProps {
  title: string
  hint?: ReactNode
  /** Accepted types as the platform writes them, ".csv,.xlsx". */
  accept: string
  onFile: (file: File) => void
}

/** A place to drop one file or to choose one; the native file input underneath. */
export function FileDrop({ title, hint, accept, onFile }: FileDropProps) {
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent<HTMLLabelElement>) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
    const file = event.type === 'drop' ? event.dataTransfer.files[0] : undefined
    if (file) onFile(file)
  }
  return (
    <label className={`${styles.drop} ${over ? styles.over : ''}`} onDragOver={drag} onDragLeave={drag} onDrop={drag}>
      <Icon of={IconFileUpload} size={28} />
      <span className={styles.title}>{title}</span>
      {hint && <span className={styles.hint}>{hint}</span>}
      <input
        type="file"
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </label>
  )
}
