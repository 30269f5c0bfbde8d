/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { directionOf } from './direction.ts'
import { LOCALES } from './locales.gen.ts'

type Words = { [key: string]: string | Words }

const FOLDERS = { console: new URL('../locales/', import.meta.url), contract: new URL('../../../contract/locales/', import.meta.url) }
const REFERENCE = 'en_GB'
const PLURAL = /_(zero|one|two|few|many|other)$/

const read = (folder: URL, locale: string, file: string): Words => JSON.parse(readFileSync(new URL(`${locale}/${file}`, folder), 'utf8'))
const flat = (words: Words, prefix = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  )
/** Keys without their plural endings, which differ from language to language. */
const keysOf = (words: Words): string[] => [...new Set(flat(words).map(([key]) => key.replace(PLURAL, '')))].sort()
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1] ?? '').sort()

const files = Object.entries(FOLDERS).flatMap(([place, folder]) =>
  readdirSync(new URL(`${REFERENCE}/`, folder)).map((file) => ({ place, folder, file })),
)

describe.each(files)('$place $file', ({ folder, file }) => {
  const british = read(folder, REFERENCE, file)
  const french = read(folder, 'fr_FR', file)

  test('has the same keys in French', () => {
    expect(keysOf(french)).toEqual(keysOf(british))
  })

  test('leaves no text empty', () => {
    for (const [key, text] of [...flat(british), ...flat(french)]) expect(text.trim(), key).not.toBe('')
  })

  test('fills the same placeholders in French', () => {
    const wanted = new Map(flat(british).map(([key, text]) => [key.replace(PLURAL, ''), placeholders(text)]))
    for (const [key, text] of flat(french)) {
      if (!PLURAL.test(key)) expect(placeholders(text), key).toEqual(wanted.get(key))
    }
  })

  test('has every plural form that the language counts with', () => {
    for (const [locale, words] of [
      ['en-GB', british],
      ['fr-FR', french],
    ] as const) {
      const keys = new Set(flat(words).map(([key]) => key))
      const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      for (const key of keys) {
        if (!PLURAL.test(key)) continue
        for (const form of forms) expect([...keys], locale).toContain(key.replace(PLURAL, `_${form}`))
      }
    }
  })
})

// a text that a language lacks is looked for nowhere else
test.each(Object.entries(FOLDERS))('the languages of the %s that have words are those whose words are compared here', (_place, folder) => {
  expect(readdirSync(folder).sort()).toEqual([REFERENCE, 'fr_FR'])
})

describe('words of the console', () => {
  const source = readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const quoted = (key: string) => ["'", '"', '`', ':'].some((open) => ["'", '"', '`'].some((end) => source.includes(open + key + end)))
  /** A group stands for every key below it where the code writes `runState.${…}`, or hands its name on. */
  const built = (key: string) => {
    const groups = key.split('.').map((_part, depth, parts) => parts.slice(0, depth).join('.'))
    return groups.some((group) => group !== '' && (source.includes(`${group}.\${`) || quoted(group)))
  }

  test.each(files.filter(({ place }) => place === 'console'))('of $file are all used', ({ folder, file }) => {
    expect(keysOf(read(folder, REFERENCE, file)).filter((key) => !quoted(key) && !built(key))).toEqual([])
  })
})

describe('the languages', () => {
  test('are about a hundred, each once, with names', () => {
    expect(LOCALES.length).toBeGreaterThan(90)
    expect(new Set(LOCALES.map((locale) => locale.key)).size).toBe(LOCALES.length)
    for (const locale of LOCALES) {
      expect(Intl.getCanonicalLocales(locale.value)).toEqual([locale.value])
      expect(locale.key).toBe(locale.value.replace('-', '_'))
      expect(locale.label && locale.endonym).toBeTruthy()
    }
  })

  test('that are read from right to left are those in Arabic and Hebrew script', () => {
    const rtl = LOCALES.filter((locale) => directionOf(locale.value) === 'rtl').map((locale) => locale.key)
    expect(rtl.sort()).toEqual(['ar', 'fa_IR', 'he_IL', 'ur_PK'])
  })

  test('that the platform does not know are read from left to right', () => {
    expect(directionOf('not a language')).toBe('ltr')
  })
})
