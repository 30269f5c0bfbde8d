const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg'])

/** The script a language is written in by default, `Latn`, `Arab`; `Latn` for what the platform does not know. */
export const scriptOf = (locale: string): string => {
  try {
    return new Intl.Locale(locale).maximize().script ?? 'Latn'
  } catch {
    return 'Latn'
  }
}

/** The reading direction of a language. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => (RTL_SCRIPTS.has(scriptOf(locale)) ? 'rtl' : 'ltr')
