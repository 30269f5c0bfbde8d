import { useUiWords } from './ui-words.tsx'

/**
 * What is said of a text of more than so many characters (code points, trimmed); undefined of any other. The browser's own `maxLength` would
 * cut off the end of what is pasted, and say nothing.
 */
export const useTooLong = (text: string, longest: number | undefined): string | undefined => {
  const { tooLong } = useUiWords()
  const isLonger = longest !== undefined && text.length > longest && [...text.trim()].length > longest
  return isLonger ? tooLong : undefined
}
