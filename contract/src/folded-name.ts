/** Names as they are compared. Pure. */

/** Trimmed, with one space wherever white space stands: what looks the same is the same. */
export const oneSpaced = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** What two names of sites or site groups must not have in common. */
export const foldedName = (name: string): string => oneSpaced(name).toLowerCase()

/** A name or a code as it is written, save for case and outer white space; what `findByName` knows names by. */
export const writtenName = (text: string): string => text.trim().toLowerCase()

/**
 * What a text names: whatever is written so, else what looks the same. Names that differ by white space only may be older than the rule that they must
 * not, and each is still found by its own.
 *
 * @param named by `writtenName`
 */
export const findByName = <T>(named: ReadonlyMap<string, T>, text: string): T | undefined =>
  named.get(writtenName(text)) ?? named.get(foldedName(text))
