import { directionOf, scriptOf } from './direction.ts'
import { fill, findText, type Values } from './translate.ts'
import { bookOf, loadWords, namespacesAsked } from './words.ts'

/** Gives the text of a key, `group.key` or `namespace:group.key`; of several keys the first that has one. */
export type Translate = (key: string | readonly string[], values?: Values) => string

/** What the first screen says, signed in or not. */
const FIRST = ['common', 'shell']

let current = 'en-GB'
const listeners = new Set<() => void>()

/** `en_GB` → `en-GB`. */
const intlLocale = (key: string): string => key.replace('_', '-')

/** The text of `key` in the namespace that it names itself, or else in the given one. */
const textIn = (namespace: string, key: string, count?: number): string | undefined => {
  const colon = key.indexOf(':')
  const book = bookOf(current, colon < 0 ? namespace : key.slice(0, colon))
  return book && findText(book, key.slice(colon + 1), count)
}

const translateIn =
  (namespace: string): Translate =>
  (key, values = {}) => {
    const keys = typeof key === 'string' ? [key] : key
    for (const one of keys) {
      const text = textIn(namespace, one, values.count)
      if (text !== undefined) return fill(text, values)
    }
    return values.defaultValue ?? keys.at(-1) ?? ''
  }

const translators = new Map<string, Translate>()

/** Speaks the language on screen in the words of a namespace; the same function until the language changes. */
export const translator = (namespace: string): Translate => {
  const known = translators.get(namespace) ?? translateIn(namespace)
  translators.set(namespace, known)
  return known
}

/** The language of what is on screen, `fr-FR`. */
export const language = {
  get: (): string => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Whether there is a text `namespace:key`. */
export const hasText = (key: string): boolean => textIn('', key) !== undefined

/** Sets language and direction of the page, and loads the font of its script where Inter has no letters for it. */
const dress = async (locale: string): Promise<void> => {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
  if (scriptOf(locale) === 'Arab') await import('@instep/ui/fonts-arabic.css')
}

/** Speaks a language, `fr_FR`, from the start; done when the words of the first screen are there. */
export const startLocale = async (localeKey: string): Promise<void> => {
  current = intlLocale(localeKey)
  await Promise.all([loadWords(current, FIRST), dress(current)])
}

/** Changes the language, `fr_FR`, of everything on screen, once all of its words are there. */
export const changeLocale = async (localeKey: string): Promise<void> => {
  const next = intlLocale(localeKey)
  await loadWords(next, namespacesAsked())
  current = next
  translators.clear()
  for (const tell of listeners) tell()
  await dress(next)
}
