import type { PersistStorage, StorageValue } from 'zustand/middleware'

/** The part of `localStorage` that is used. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const read = <State>(text: string | null): StorageValue<State> | null => {
  try {
    return text === null ? null : (JSON.parse(text) as StorageValue<State>)
  } catch {
    return null
  }
}

/**
 * Storage for a persisted store that writes at most once per `every` milliseconds: the last state wins, and `flush` writes what still waits
 * (call it on `pagehide`). What cannot be read counts as absent; a full or forbidden storage is passed over.
 */
export const throttledStorage = <State>(storage: TextStorage, every: number): PersistStorage<State> & { flush: () => void } => {
  let waiting: { name: string; value: StorageValue<State> } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (!waiting) return
    const { name, value } = waiting
    waiting = null
    try {
      storage.setItem(name, JSON.stringify(value))
    } catch {
      // Private windows and full disks refuse; the session goes on with what is in memory.
    }
  }
  return {
    flush,
    getItem: (name) => read<State>(storage.getItem(name)),
    setItem: (name, value) => {
      waiting = { name, value }
      timer ??= setTimeout(flush, every)
    },
    removeItem: (name) => {
      waiting = null
      storage.removeItem(name)
    },
  }
}
