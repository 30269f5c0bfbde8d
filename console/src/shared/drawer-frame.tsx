import { createContext, type ReactNode, type RefObject, useContext, useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'

interface DrawerFrame {
  /** Where the footer of what the drawer shows goes. */
  readonly footer: HTMLElement | null
  /** Asked instead of closing, while something is there to be asked. */
  readonly onClose: RefObject<(() => void) | null>
}

const Given = createContext<DrawerFrame | null>(null)
/** Gives the drawer around to what it shows. */
export const DrawerFrameProvider = Given

const useFrame = (): DrawerFrame => {
  const frame = useContext(Given)
  if (!frame) throw new Error('DrawerFrameProvider is missing')
  return frame
}

/** What stands in the drawer's fixed footer; the drawer itself stays as its content changes from profile to form. */
export function FrameFooter({ children }: { children: ReactNode }) {
  const { footer } = useFrame()
  return footer && createPortal(children, footer)
}

/** Takes over what Escape, a click beside the drawer and its close button do. */
export const useFrameClose = (close: () => void): void => {
  const { onClose } = useFrame()
  const now = useEffectEvent(close)
  useEffect(() => {
    onClose.current = () => now()
    return () => {
      onClose.current = null
    }
  }, [onClose])
}
