import words from '@instep/contract/locales/en_GB/plan.json' with { type: 'json' }
import type { PlanRow } from '@instep/contract/sync.ts'

type Word = keyof typeof words

/** A sentence of the plan with its placeholders filled, in en_GB. */
const sentence = (code: string, params: Record<string, string | number>): string =>
  (code in words ? words[code as Word] : code).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))

/** Why a row of a plan is what it is, in words. */
export const reasonText = ({ kind, reasons, after }: Pick<PlanRow, 'kind' | 'reasons' | 'after'>): string => {
  const told = reasons.map(({ code, field, params }) => sentence(code, { ...params, ...(field ? { field } : {}) }))
  if (kind === 'create') told.push(sentence('created', {}))
  if (kind === 'update') told.push(sentence('updated', { fields: Object.keys(after).join(', ') }))
  return told.join(' ')
}
