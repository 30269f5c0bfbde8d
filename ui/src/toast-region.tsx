import { IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './toast.module.css'
import { dismissToast, shownToasts, watchToasts } from './toasts.ts'
import { useUiWords } from './ui-words.tsx'

/** Where toasts appear; stands once at the root, outside of what drawers make inert. */
export function ToastRegion() {
  const words = useUiWords()
  const toasts = useSyncExternalStore(watchToasts, shownToasts)
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={styles.toast}>
          <Icon of={toast.kind === 'done' ? IconCircleCheck : IconCircleX} size={16} />
          <span>{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                toast.action?.run()
                dismissToast(toast.id)
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton small icon={IconX} label={words.dismiss} onClick={() => dismissToast(toast.id)} />
        </div>
      ))}
    </div>
  )
}
