import words from '@instep/contract/locales/en_GB/fields.json' with { type: 'json' }

/** What can be wrong with a value of a person. */
export type FieldProblem = keyof typeof words

/** Why values are not taken, by the key of the API shape that each stands under (`enterprise.department`). */
export type Wrong = Record<string, FieldProblem>

/** The same in the server's words, en_GB; `source` fills the sentence of what only the source may change. */
export const wrongInWords = (wrong: Readonly<Wrong>, source = ''): Record<string, string[]> =>
  // a function, because a name may hold what a replacement pattern means something by
  Object.fromEntries(Object.entries(wrong).map(([path, code]) => [path, [words[code].replace('{{source}}', () => source)]]))
