/** A text for comparing while searching: without case and accents, with one space wherever white space stands. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').toLocaleLowerCase()
