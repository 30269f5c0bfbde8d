import { useSyncExternalStore } from 'react'
import { hasText, language, type Translate, translator } from './i18n.ts'
import { loadWords } from './words.ts'

interface Translation {
  t: Translate
  /** The language on screen, as Intl takes it: `fr-FR`. */
  language: string
  /** Whether there is a text `namespace:key`. */
  hasText: (key: string) => boolean
}

/**
 * The words of a namespace, `common` unless told; keys of the other namespaces given are written `namespace:key`. Waits (React's Suspense)
 * until they are loaded.
 */
export const useTranslation = (namespaces: string | readonly string[] = 'common'): Translation => {
  const spoken = useSyncExternalStore(language.subscribe, language.get)
  const needed = typeof namespaces === 'string' ? [namespaces] : namespaces
  const wait = loadWords(spoken, needed)
  // as libraries wait: with `use`, which is not called again once the words are there, React 19.3 loses count of the hooks that follow (#467)
  if (wait) throw wait
  return { t: translator(needed[0] ?? 'common'), language: spoken, hasText }
}
