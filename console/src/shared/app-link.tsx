import type { ComponentProps, MouseEvent } from 'react'
import { useFetchAhead } from './use-fetch-ahead.ts'
import { useGo } from './use-go.ts'

interface AppLinkProps extends ComponentProps<'a'> {
  /** An address of `paths.ts`. */
  href: string
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** A link inside the console: a real link for the browser, without a page load on a plain click, and its page on the way once it is pointed at. */
export function AppLink({ href, onClick, children, ...rest }: AppLinkProps) {
  const go = useGo()
  const fetchAhead = useFetchAhead()
  const expect = () => void fetchAhead(href)
  return (
    <a
      {...rest}
      href={href}
      onPointerEnter={expect}
      onFocus={expect}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlain(event)) return
        event.preventDefault()
        go(href)
      }}
    >
      {children}
    </a>
  )
}
