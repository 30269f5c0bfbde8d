import type { FieldCode, FieldMessage } from '@instep/contract/field-message.ts'

/** Why values are not taken, by the key of the API shape that each stands under (`enterprise.department`). */
export type Wrong = Record<string, FieldCode>

/** The same as messages; `source` names who alone may change what comes from there. */
export const wrongMessages = (wrong: Readonly<Wrong>, source = ''): Record<string, FieldMessage[]> =>
  Object.fromEntries(Object.entries(wrong).map(([path, code]) => [path, [code === 'fromSource' ? { code, params: { source } } : code]]))
