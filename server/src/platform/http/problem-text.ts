import words from '@instep/contract/locales/en_GB/problems.json' with { type: 'json' }
import type { ProblemCode } from '@instep/contract/problem.ts'

/** The problem's sentence in en_GB with its placeholders filled; the console translates by code. */
export const problemText = (code: ProblemCode, params: Record<string, string | number> = {}): string =>
  words[code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
