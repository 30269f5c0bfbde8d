import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { language } from '../i18n/i18n.ts'
import { loadWords } from '../i18n/words.ts'

/** A page whose code is fetched when it is first needed. */
export interface LazyPage {
  Page: LazyExoticComponent<ComponentType>
  /** Fetches code and words ahead. A failure is left to the page itself. */
  fetchAhead: () => Promise<void>
}

/** After a new release the files of the old one are gone: the console is loaded again, once for each file that is missing. */
const loadAgain = (error: unknown): void => {
  const key = `instep.reloaded:${error instanceof Error ? error.message : ''}`
  if (!navigator.onLine || sessionStorage.getItem(key)) return
  sessionStorage.setItem(key, 'yes')
  window.location.reload()
}

/** `words`: the namespaces that the page is mostly written in; they are fetched beside its code rather than after it. */
export const lazyPage = (load: () => Promise<ComponentType>, ...words: readonly string[]): LazyPage => {
  const fetchAhead = async (): Promise<void> => {
    await Promise.all([load(), loadWords(language.get(), words)]).catch(() => undefined)
  }
  const fetchNow = async () => {
    void fetchAhead()
    try {
      return { default: await load() }
    } catch (error) {
      loadAgain(error)
      throw error
    }
  }
  return { Page: lazy(fetchNow), fetchAhead }
}
