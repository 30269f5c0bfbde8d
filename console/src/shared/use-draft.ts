import { useCallback, useEffect, useRef, useState } from 'react'

const PREFIX = 'instep.draft.'

const read = <Value>(key: string): Value | undefined => {
  try {
    const text = sessionStorage.getItem(PREFIX + key)
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}

/** Whether something was typed under `key` that was neither saved nor thrown away. */
export const hasDraft = (key: string): boolean => read(key) !== undefined

/**
 * State of an open form that survives an expired session: what was typed is kept in `sessionStorage` under `key` and comes back after signing
 * in again. `clear` forgets it once it was saved or thrown away. Never for passwords or tokens.
 */
export const useDraft = <Value>(key: string, initial: Value) => {
  const [value, setValue] = useState<Value>(() => read<Value>(key) ?? initial)
  const [restored] = useState(() => read<Value>(key) !== undefined)
  const touched = useRef(false)
  useEffect(() => {
    if (!touched.current) return
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value))
  }, [key, value])
  const change = useCallback((next: Value | ((before: Value) => Value)) => {
    touched.current = true
    setValue(next)
  }, [])
  const clear = useCallback(() => {
    touched.current = false
    sessionStorage.removeItem(PREFIX + key)
  }, [key])
  return { value, change, clear, restored }
}
