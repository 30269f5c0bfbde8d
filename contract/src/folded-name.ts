/** Names as they are compared. Pure. */

/** Trimmed, with one space wherever white space stands: what looks the same is the same. */
export const oneSpaced = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** What two names of sites or site groups must not have in common; a place that a source writes is looked up by it. */
export const foldedName = (name: string): string => oneSpaced(name).toLowerCase()
