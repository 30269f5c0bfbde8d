/** The language tags of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4). */
export const acceptedLanguages = (header: string): string[] =>
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

/** The first of the languages that one of these is in, by its primary subtag (RFC 4647, 3.4). */
export const bestLanguage = <Known extends { readonly lang: string }>(
  known: readonly Known[],
  tags: readonly string[],
): Known | undefined => {
  const primary = (tag: string) => tag.replace('_', '-').toLowerCase().split('-')[0]
  for (const tag of tags) {
    const found = known.find(({ lang }) => primary(lang) === primary(tag))
    if (found) return found
  }
  return undefined
}

/** What a reader gets in each language that there is. */
export interface InLanguages<Words> {
  readonly 'en-GB': Words
  readonly 'fr-FR': Words
}

/** The words for a caller with this Accept-Language header; en_GB where it asks for no language that there is. */
export const wordsFor = <Words>(words: InLanguages<Words>, acceptLanguage: string | undefined): Words => {
  const known = Object.entries(words).map(([lang, inLang]: [string, Words]) => ({ lang, inLang }))
  return bestLanguage(known, acceptedLanguages(acceptLanguage ?? ''))?.inLang ?? words['en-GB']
}
