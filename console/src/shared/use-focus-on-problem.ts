import { type RefObject, useEffect } from 'react'

/** Focus goes to the first input that needs attention, once it is drawn; `refused` grows with every save that was refused. */
export const useFocusOnProblem = (form: RefObject<HTMLFormElement | null>, refused: number): void => {
  useEffect(() => {
    if (refused === 0) return
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const outside = document.querySelector<HTMLElement>('[role="dialog"] [aria-invalid="true"]')
    ;(first ?? outside)?.focus()
  }, [form, refused])
}
