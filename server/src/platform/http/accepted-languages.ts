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
