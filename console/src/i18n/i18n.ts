import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { directionOf, scriptOf } from './direction.ts'
import { isolatedWords } from './isolated-words.ts'
import { isTranslated, namespaceLoader } from './namespace-loader.ts'

const DEFAULT_LOCALE = 'en_GB'

/** `en_GB` → `en-GB`. */
const intlLocale = (key: string): string => key.replace('_', '-')

/** Sets language and direction of the page, and loads the font of its script where Inter has no letters for it. */
const dress = async (locale: string): Promise<void> => {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
  if (scriptOf(locale) === 'Arab') await import('@instep/ui/fonts-arabic.css')
}

/** Starts the words: namespaces are loaded as screens need them, in British English where a language has none. */
export const startI18n = async (localeKey: string): Promise<i18n> => {
  await i18next
    .use(namespaceLoader)
    .use(initReactI18next)
    .use(isolatedWords(isTranslated))
    .init({
      lng: intlLocale(localeKey),
      // a language has all of its words or none, so whoever reads French need not load the English ones as well
      fallbackLng: (locale) => (isTranslated(locale) ? [] : [intlLocale(DEFAULT_LOCALE)]),
      load: 'currentOnly',
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      postProcess: ['isolatedWords'],
      react: { useSuspense: true },
    })
  await dress(intlLocale(localeKey))
  return i18next
}

/** Changes the language, `fr_FR`, of everything on screen. */
export const changeLocale = async (localeKey: string): Promise<void> => {
  await i18next.changeLanguage(intlLocale(localeKey))
  await dress(intlLocale(localeKey))
}
