import type { BackendModule, ResourceKey } from 'i18next'

const FILES: Record<string, () => Promise<ResourceKey>> = {
  ...import.meta.glob<ResourceKey>('../locales/*/*.json', { import: 'default' }),
  ...import.meta.glob<ResourceKey>('../../../contract/locales/*/*.json', { import: 'default' }),
}

/** `en-GB/people` → how to load it. */
const loaders = new Map(
  Object.entries(FILES).map(([path, load]) => {
    const [folder = '', file = ''] = path.split('/').slice(-2)
    return [`${folder.replace('_', '-')}/${file.replace('.json', '')}`, load]
  }),
)

const translated = new Set([...loaders.keys()].map((file) => file.slice(0, file.indexOf('/'))))

/** Whether there are words in a language, `fr-FR`. */
export const isTranslated = (language: string): boolean => translated.has(language)

/** Loads a namespace of a language when it is first needed; a language that is not translated has none, and its texts fall back. */
export const namespaceLoader: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = loaders.get(`${language}/${namespace}`)
    if (!load) return done(null, {})
    load().then(
      (words) => done(null, words),
      (error) => done(error instanceof Error ? error : new Error(String(error)), false),
    )
  },
}
