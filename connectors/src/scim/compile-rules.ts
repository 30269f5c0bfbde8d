import type { AttributeRule } from '@instep/contract/attribute-rules.ts'
import { cleanText } from '@instep/contract/field-values.ts'
import { compileChain } from '@instep/contract/transform-text.ts'
import { type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import type { AccountDocument, TargetUser } from '../kit/target.ts'
import { type Members, pathOf, valueAt, withValue } from './attribute-path.ts'

/** Rules made ready to be applied to many people. */
export interface CompiledRules {
  /** The document with the rules laid over it. Pure. */
  apply(document: AccountDocument, user: TargetUser): AccountDocument
  /** Of what a target returned, `part` is what is managed without rules; answers what is managed with them. */
  managed(part: AccountDocument, resource: Members): AccountDocument
}

const PLACES = new Map<string, number>(userFieldNames.map((field, place) => [field, place]))
const TRUE: ReadonlySet<string> = new Set(['true', 'yes', '1'])
const FALSE: ReadonlySet<string> = new Set(['false', 'no', '0'])

const booleanOf = (text: string): boolean | undefined => {
  const folded = text.toLowerCase()
  if (TRUE.has(folded)) return true
  return FALSE.has(folded) ? false : undefined
}

const numberOf = (text: string): number | undefined => {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

const READ = { text: (text: string): string | undefined => text || undefined, boolean: booleanOf, number: numberOf }

const cellsOf = (fields: TargetUser['fields']): string[] => userFieldNames.map((field) => fields[field]?.trim() ?? '')

const compileRule = ({ path, from, transforms = [], as }: AttributeRule) => {
  const chain = compileChain(transforms, (column) => PLACES.get(column) ?? -1)
  const read = READ[as]
  const textOf = (fields: TargetUser['fields']): string => {
    if (from.kind === 'constant') return from.text
    return from.kind === 'field' ? (cleanText(fields[from.field as UserFieldName] ?? '') ?? '') : ''
  }
  const makeValue = (user: TargetUser, cells: readonly string[]): string | boolean | number | undefined => {
    if (from.kind === 'nothing') return undefined
    const made = chain(textOf(user.fields), cells)
    return typeof made === 'string' ? read(made) : undefined
  }
  return { path: pathOf(path), makeValue, leavesOut: from.kind === 'nothing' }
}

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The extensions that the document has, as RFC 7643 section 3 wants them told. */
const withSchemas = (document: Members): Members =>
  'schemas' in document ? { ...document, schemas: [CORE, ...Object.keys(document).filter((name) => name.startsWith('urn:'))] } : document

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Compiles the rules of a target once; they are laid over a document in their order. */
export const compileRules = (rules: readonly AttributeRule[]): CompiledRules => {
  const compiled = rules.map(compileRule)
  return {
    apply: (document, user) => {
      if (compiled.length === 0) return document
      const cells = cellsOf(user.fields)
      const made = compiled.reduce<Members>((left, { path, makeValue }) => withValue(left, path, makeValue(user, cells)), { ...document })
      return withSchemas(made)
    },
    managed: (part, resource) => {
      const held = compiled.reduce<Members>(
        (left, { path, leavesOut }) => {
          const value = leavesOut ? undefined : valueAt(resource, path)
          return withValue(left, path, isPlain(value) ? value : undefined)
        },
        { ...part },
      )
      return compiled.length === 0 ? part : withSchemas(held)
    },
  }
}
