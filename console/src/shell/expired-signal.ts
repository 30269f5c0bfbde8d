/** Whether a call was refused because the session has expired, and not yet dismissed. Set by the API client, shown by `ExpiredDialog`. */
let expired = false
const listeners = new Set<() => void>()

export const expiredSignal = {
  get: (): boolean => expired,
  set: (value: boolean): void => {
    if (value === expired) return
    expired = value
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
