import { useUiWords } from './ui-words.tsx'

/**
 * What is said of a text, or of texts one of which is, of more than so many characters (code points, trimmed); undefined of any other. The browser's own `maxLength` would
 * cut off the end of what is pasted, and say nothing.
 */
export const useTooLong = (texts: string | readonly string[], longest: number | undefined): string | undefined => {
  const { tooLong } = useUiWords()
  const isLonger = (text: string) => longest !== undefined && text.length > longest && [...text.trim()].length > longest
  return [texts].flat().some(isLonger) ? tooLong : undefined
}
