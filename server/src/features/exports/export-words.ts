import english from '@instep/contract/locales/en_GB/exports.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/exports.json' with { type: 'json' }

const WORDS = new Map([
  ['en_GB', english],
  ['fr_FR', french],
])

/** The words of an export in a language; en_GB where there are none. */
export const exportWords = (locale: string): typeof english => WORDS.get(locale) ?? english
