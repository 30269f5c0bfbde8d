import { acceptedLanguages, bestLanguage } from '../http/accepted-languages.ts'
import enGB from './locales/en_GB.json' with { type: 'json' }
import frFR from './locales/fr_FR.json' with { type: 'json' }

/** The texts of the provider's pages in one language. */
export type Words = typeof enGB

const TRANSLATED: readonly Words[] = [enGB, frFR]

/**
 * The texts to show: what the application asked for, else what the browser prefers, else British English.
 *
 * @param wish `uiLocales` is the request parameter (space separated), `acceptLanguage` the header
 */
export const wordsFor = (wish: { uiLocales?: string | undefined; acceptLanguage?: string | undefined }): Words =>
  bestLanguage(TRANSLATED, wish.uiLocales?.split(' ') ?? []) ??
  bestLanguage(TRANSLATED, acceptedLanguages(wish.acceptLanguage ?? '')) ??
  enGB

/** Puts values into the places that a text names in braces. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
