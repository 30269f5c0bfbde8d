import type { Book, Words } from './translate.ts'

/** The language that every text is written in, and that stands in where another has no words at all. */
const COMPLETE = 'en_GB'

const FILES: Record<string, () => Promise<Words>> = {
  ...import.meta.glob<Words>('../locales/*/*.json', { import: 'default' }),
  ...import.meta.glob<Words>('../../../contract/locales/*/*.json', { import: 'default' }),
}

/** `en_GB/people` → how to load it. */
const loaders = new Map(Object.entries(FILES).map(([path, load]) => [path.replace(/^.*\/([^/]+\/[^/]+)\.json$/, '$1'), load] as const))

const loaded = new Map<string, Words>()
const loading = new Map<string, Promise<unknown>>()

const fileOf = (language: string, namespace: string): string => {
  const own = `${language.replace('-', '_')}/${namespace}`
  return loaders.has(own) ? own : `${COMPLETE}/${namespace}`
}

/** A namespace if it is there, in the given language, `fr-FR`, if that has it. */
export const bookOf = (language: string, namespace: string): Book | undefined => {
  const file = fileOf(language, namespace)
  const words = loaded.get(file)
  return words && { words, language: file.slice(0, file.indexOf('/')).replace('_', '-') }
}

const loadFile = (file: string): Promise<unknown> => {
  const known = loading.get(file)
  if (known) return known
  const load = loaders.get(file)
  if (!load) throw new Error(`there are no words called ${file}`)
  const started = load().then(
    (words) => loaded.set(file, words),
    (error: unknown) => {
      loading.delete(file)
      throw error
    },
  )
  loading.set(file, started)
  return started
}

const waits = new Map<string, Promise<unknown>>()

/** Loads namespaces once. Null when all are there already; the same promise for the same namespaces. */
export const loadWords = (language: string, namespaces: readonly string[]): Promise<unknown> | null => {
  const missing = namespaces.map((namespace) => fileOf(language, namespace)).filter((file) => !loaded.has(file))
  if (missing.length === 0) return null
  const key = missing.join(' ')
  const wait = waits.get(key) ?? Promise.all(missing.map(loadFile)).finally(() => waits.delete(key))
  waits.set(key, wait)
  return wait
}

/** Namespaces that some screen has asked for. */
export const namespacesAsked = (): string[] => [...new Set([...loading.keys()].map((file) => file.slice(file.indexOf('/') + 1)))]
