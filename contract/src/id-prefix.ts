/** The prefix of employee ids, of a site and of a person (1-console.md sections 5 and 9). Pure. */

/** A prefix is shorter than this, in code points. */
const PREFIX_BELOW = 30

/** What is wrong with a prefix; letters of any script, digits, - and _ are not special. */
export const prefixProblem = (text: string): 'prefixTooLong' | 'prefixCharacters' | undefined => {
  if ([...text].length >= PREFIX_BELOW) return 'prefixTooLong'
  return /^[\p{L}\p{M}\p{N}_-]*$/u.test(text) ? undefined : 'prefixCharacters'
}
