import { refuse } from './scim-error.ts'

/** No resource is nested half as deep; a hostile body would exhaust the stack. */
const DEEPEST = 20

const isPlain = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Refuses what the database cannot hold as text, and what is nested too deep: `invalidSyntax`. */
export const assertPlainText = (value: unknown, depth = 0): void => {
  if (depth > DEEPEST) throw refuse('invalidSyntax', `Nested deeper than ${DEEPEST} levels.`)
  if (typeof value === 'string' && !isPlain(value)) throw refuse('invalidSyntax', 'A text holds a character that is no text.')
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    assertPlainText(name, depth)
    assertPlainText(inner, depth + 1)
  }
}
