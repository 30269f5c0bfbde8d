import { type AttributeRule, isUsablePath, MAPPABLE_FIELDS, USUAL_ATTRIBUTES } from '@instep/contract/attribute-rules.ts'

/** What a rule's source is in the form: a field's name, or one of two words that no field has. */
export const CONSTANT = '=text'
export const NOTHING = '=nothing'

/** Changes of a text that the form offers; `other` stands for a chain that it cannot show. */
export const TEXT_CHANGES = ['asIs', 'trim', 'upper', 'lower', 'title'] as const
export type TextChange = (typeof TEXT_CHANGES)[number] | 'other'

/** How a chain stands in the form. */
export const textChangeOf = ({ transforms = [] }: AttributeRule): TextChange => {
  const [first, ...more] = transforms
  if (!first) return 'asIs'
  if (more.length > 0) return 'other'
  if (first.kind === 'trim') return 'trim'
  return first.kind === 'case' ? first.to : 'other'
}

/** A rule with another change of its text; a chain that the form cannot show goes with it. */
export const withTextChange = (rule: AttributeRule, change: string): AttributeRule => {
  const { transforms: _, ...rest } = rule
  const found = TEXT_CHANGES.find((one) => one === change)
  if (found === undefined || found === 'asIs') return rest
  return { ...rest, transforms: [found === 'trim' ? { kind: 'trim' } : { kind: 'case', to: found }] }
}

/** What a rule's source is in the form. */
export const sourceOf = ({ from }: AttributeRule): string => {
  if (from.kind === 'field') return from.field
  return from.kind === 'constant' ? CONSTANT : NOTHING
}

/** A rule with another source; a fixed text starts empty. */
export const withSource = (rule: AttributeRule, source: string): AttributeRule => {
  if (source === CONSTANT) return { ...rest(rule), from: { kind: 'constant', text: '' } }
  if (source === NOTHING) return { ...rest(rule), from: { kind: 'nothing' } }
  const field = MAPPABLE_FIELDS.find((one) => one === source)
  return field === undefined ? rule : { ...rule, from: { kind: 'field', field } }
}

const rest = ({ transforms: _, ...rule }: AttributeRule): AttributeRule => rule

/** A rule that was just added. */
export const NEW_RULE: AttributeRule = { path: '', from: { kind: 'field', field: 'title' }, as: 'text' }

/** Places of rules that cannot be kept: no path, one that is not ours to set, one that stands twice, a fixed text that is empty. */
export const wrongRules = (rules: readonly AttributeRule[]): Set<number> =>
  new Set(
    rules.flatMap((rule, place) => {
      const twice = rules.some((other, otherPlace) => otherPlace < place && other.path === rule.path)
      const empty = rule.from.kind === 'constant' && rule.from.text === ''
      return twice || empty || !isUsablePath(rule.path) ? [place] : []
    }),
  )

/** Paths to choose from: what is sent anyway, and what the target's own schemas name. */
export const offeredPaths = (discovered: readonly { readonly path: string }[]): string[] => [
  ...new Set([...Object.keys(USUAL_ATTRIBUTES), ...discovered.map(({ path }) => path)]),
]
