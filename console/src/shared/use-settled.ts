import { useEffect, useState } from 'react'

const PAUSE = 150

/** A value once it has not changed for `pause` milliseconds. */
export const useSettled = <Value>(value: Value, pause = PAUSE): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}
