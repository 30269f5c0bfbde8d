import { createContext, type ReactNode, useContext } from 'react'

/** The few words that components of the design system say by themselves, in the reader's language. */
export interface UiWords {
  close: string
  copy: string
  copied: string
  loading: string
  clear: string
  dismiss: string
  to: string
  added: string
  removed: string
  changed: string
  tooLong: string
}

const Words = createContext<UiWords | null>(null)

interface UiWordsProviderProps {
  words: UiWords
  children: ReactNode
}

/** Gives the components below their words; stands once at the root of an application. */
export function UiWordsProvider({ words, children }: UiWordsProviderProps) {
  return <Words value={words}>{children}</Words>
}

/** The words given by the nearest `UiWordsProvider`; throws outside of one. */
export const useUiWords = (): UiWords => {
  const words = useContext(Words)
  if (!words) throw new Error('UiWordsProvider is missing')
  return words
}
