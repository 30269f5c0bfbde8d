/** The first letters of the first and the last word of a name, upper case; one letter for one word, "?" for none. */
export const initials = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? ([...word][0] ?? '') : ''))
  return letters.join('').toLocaleUpperCase() || '?'
}
