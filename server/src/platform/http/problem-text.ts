import type { FieldMessage } from '@instep/contract/field-message.ts'
import fields from '@instep/contract/locales/en_GB/fields.json' with { type: 'json' }
import problems from '@instep/contract/locales/en_GB/problems.json' with { type: 'json' }
import frenchFields from '@instep/contract/locales/fr_FR/fields.json' with { type: 'json' }
import frenchProblems from '@instep/contract/locales/fr_FR/problems.json' with { type: 'json' }
import type { ProblemCode } from '@instep/contract/problem.ts'
import { acceptedLanguages, bestLanguage } from './accepted-languages.ts'

/** The words of problems in one language. */
export interface ProblemWords {
  readonly lang: string
  readonly problems: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}

const ENGLISH: ProblemWords = { lang: 'en-GB', problems, fields }
const KNOWN: readonly ProblemWords[] = [ENGLISH, { lang: 'fr-FR', problems: frenchProblems, fields: frenchFields }]

/** The words for a caller with this Accept-Language header; en_GB where it asks for no language that there is. */
export const problemWords = (acceptLanguage: string | undefined): ProblemWords =>
  bestLanguage(KNOWN, acceptedLanguages(acceptLanguage ?? '')) ?? ENGLISH

// a function, because a name may hold what a replacement pattern means something by
const filled = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))

/** The problem's sentence with its placeholders filled. */
export const problemText = (words: ProblemWords, code: ProblemCode, params: Readonly<Record<string, string | number>> = {}): string =>
  filled(words.problems[code] ?? problems[code], params)

const fieldText = (words: ProblemWords, message: FieldMessage): string => {
  const { code, params } = typeof message === 'string' ? { code: message, params: {} } : message
  return filled(words.fields[code] ?? words.fields['invalid'] ?? fields.invalid, params)
}

/** What is wrong with each field, in words. */
export const fieldTexts = (words: ProblemWords, given: Readonly<Record<string, readonly FieldMessage[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(given).map(([path, messages]) => [path, messages.map((one) => fieldText(words, one))]))
