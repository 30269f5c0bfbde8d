import { startTransition, useEffect, useState } from 'react'

/** As many rows as any window shows. */
const AT_ONCE = 40

/**
 * The rows to draw now: of a long list those that can be seen at once, and the others right after, without keeping the window waiting. Rows that
 * were added to a list that is drawn follow in the same way.
 */
export const useDrawnRows = <Row>(rows: readonly Row[], keys: readonly string[]): readonly Row[] => {
  const [first, setFirst] = useState(keys[0])
  const [drawn, setDrawn] = useState(AT_ONCE)
  if (first !== keys[0]) {
    setFirst(keys[0])
    setDrawn(AT_ONCE)
  }
  const { length } = rows
  if (drawn > AT_ONCE && drawn > length) setDrawn(Math.max(AT_ONCE, length))
  useEffect(() => {
    if (length > drawn) startTransition(() => setDrawn(length))
  }, [length, drawn])
  return length > drawn ? rows.slice(0, drawn) : rows
}
