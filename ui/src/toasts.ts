/** A short word about what has just happened, with perhaps one thing to do about it. */
export interface Toast {
  id: number
  text: string
  kind: 'done' | 'failed'
  action?: { label: string; run: () => void } | undefined
}

type Listener = (toasts: readonly Toast[]) => void

const STAY = { done: 5000, failed: 12_000 }
const AT_MOST = 3

let shown: readonly Toast[] = []
let next = 1
const listeners = new Set<Listener>()

const set = (toasts: readonly Toast[]) => {
  shown = toasts
  for (const listener of listeners) listener(shown)
}

/** Takes a toast away. */
export const dismissToast = (id: number): void => set(shown.filter((toast) => toast.id !== id))

/** Shows a toast for 5 seconds (12 when something failed); the newest three stay. */
export const showToast = (toast: Omit<Toast, 'id'>): void => {
  const id = next++
  set([...shown, { ...toast, id }].slice(-AT_MOST))
  setTimeout(() => dismissToast(id), STAY[toast.kind])
}

/** What is shown now. */
export const shownToasts = (): readonly Toast[] => shown

/** Tells the listener of every change; answers how to stop. */
export const watchToasts = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
