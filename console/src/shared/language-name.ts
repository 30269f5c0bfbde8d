/** The name of a language in the reader's own; a tag that is none stays as it is. */
export const languageName = (tag: string, locale: string): string => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag.replace('_', '-')) ?? tag
  } catch {
    return tag
  }
}
