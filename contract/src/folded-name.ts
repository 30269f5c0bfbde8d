/** Names as they are compared; they are kept as they are written. Pure. */

/**
 * What two names of sites, site groups, connectors, views or attributes must not have in common: in lower case, trimmed, with one space wherever white
 * space stands.
 */
export const foldedName = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()

/** A code, or a value of HR's, as it is written save for case and outer white space. */
export const writtenName = (text: string): string => text.trim().toLowerCase()
