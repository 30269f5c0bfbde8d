import enGB from './locales/en_GB.json' with { type: 'json' }
import frFR from './locales/fr_FR.json' with { type: 'json' }

/** The texts of the provider's pages in one language. */
export type Words = typeof enGB

const TRANSLATED: readonly Words[] = [enGB, frFR]

/** The language tags of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4). */
const acceptedTags = (header: string): string[] =>
  header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find((value) => value !== undefined)
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

const bestFor = (tags: readonly string[]): Words | undefined => {
  for (const tag of tags) {
    const language = tag.replace('_', '-').toLowerCase().split('-')[0]
    const words = TRANSLATED.find((candidate) => candidate.lang.toLowerCase().split('-')[0] === language)
    if (words !== undefined) return words
  }
  return undefined
}

/**
 * The texts to show: what the application asked for, else what the browser prefers, else British English.
 *
 * @param wish `uiLocales` is the request parameter (space separated), `acceptLanguage` the header
 */
export const wordsFor = (wish: { uiLocales?: string | undefined; acceptLanguage?: string | undefined }): Words =>
  bestFor(wish.uiLocales?.split(' ') ?? []) ?? bestFor(acceptedTags(wish.acceptLanguage ?? '')) ?? enGB

/** Puts values into the places that a text names in braces. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
