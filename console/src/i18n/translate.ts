/** Texts of a namespace, in groups as deep as the file goes. */
export type Words = { readonly [key: string]: string | Words }

/** A namespace in the language it is written in, `fr-FR`. */
export interface Book {
  language: string
  words: Words
}

/** What a text is filled with: `{{name}}` is replaced by `values.name`, and `count` chooses among the plural forms. */
export type Values = {
  count?: number
  /** What stands in for a text that is not there; else its key does. */
  defaultValue?: string
} & { readonly [name: string]: unknown }

/** The text under `a.b.c`: a key of its own, or a way through the groups. */
const find = (words: Words, key: string): string | undefined => {
  const whole = words[key]
  if (typeof whole === 'string') return whole
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const group = words[key.slice(0, dot)]
    const found = typeof group === 'object' ? find(group, key.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const rules = new Map<string, Intl.PluralRules>()

const formOf = (language: string, count: number): Intl.LDMLPluralRule => {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}

/** The text of a key: for a count the one of zero where there is one, then that of the language's plural form, then the plain one. */
export const findText = ({ words, language }: Book, key: string, count?: number): string | undefined => {
  if (count === undefined) return find(words, key)
  const zero = count === 0 ? find(words, `${key}_zero`) : undefined
  return zero ?? find(words, `${key}_${formOf(language, count)}`) ?? find(words, key)
}

/** Puts values into a text; what is not given is left empty. What a value holds is never read as a placeholder. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name] ?? ''))
