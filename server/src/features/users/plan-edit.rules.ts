import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { pathOf, type UserFields, usualReading } from '@instep/contract/user-shape.ts'
import type { EditableField } from '@instep/contract/users.ts'
import { baseValue, type Document, derivedName, derivesName } from './base-value.rules.ts'
import type { Wrong } from './field-words.ts'
import { REFERENCE_HALVES } from './override-keys.rules.ts'
import { isEditable } from './person.policy.ts'
import type { Asked, Current, OverrideTerms } from './read-edit.rules.ts'

/** Somebody as an edit meets them. */
export interface Editable {
  readonly now: Current
  readonly base: Document
  /** Field → value. */
  readonly overrides: Document
  /** Field → why it is overridden, and until when. */
  readonly terms: ReadonlyMap<string, OverrideTerms>
  /** Whether they come from a source. */
  readonly linked: boolean
}

type OverrideField = UserFieldName | 'active' | 'claimFields'

/** What an edit comes to: the base afterwards, overrides that are made, those that go, and those that keep their value and take other terms. */
export interface EditPlan {
  readonly base: Document
  readonly set: ReadonlyMap<OverrideField, unknown>
  readonly removed: ReadonlySet<OverrideField>
  readonly renewed: ReadonlyMap<OverrideField, OverrideTerms>
  readonly siteId?: string | null
}

const pathOfField = (field: EditableField): string =>
  field === 'active' || field === 'siteId' ? field : field === 'claimFields' ? 'extension.claimFields' : pathOf(field)

const askedFields = ({ fields, active, claimFields, siteId }: Asked): EditableField[] => [
  ...(Object.keys(fields) as UserFieldName[]),
  ...(active === undefined ? [] : (['active'] as const)),
  ...(Object.keys(claimFields).length === 0 ? [] : (['claimFields'] as const)),
  ...(siteId === undefined ? [] : (['siteId'] as const)),
]

/** What the edit may not change, because the source says it. */
export const refusedFields = (asked: Asked, linked: boolean): Wrong =>
  Object.fromEntries(
    askedFields(asked)
      .filter((field) => !isEditable(field, linked))
      .map((field) => [pathOfField(field), 'fromSource' as const]),
  )

/** Laid over the values of before; null takes one out. */
const overlaid = (before: Document, changes: Document): Document =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined))

/** The name to keep for a name that was asked for: null where given and family name, as they will be, make it. */
const nameToKeep = (name: string | null, { fields }: Asked, now: UserFields): string | null =>
  name === null || name === derivedName(fields.givenName ?? now.givenName, fields.familyName ?? now.familyName) ? null : name

/** What is laid over the source's attributes one by one; without those that say what the source says. */
const claimOverride = (asked: Asked, { base, overrides }: Editable): Document => {
  const given = baseValue(base, 'claimFields') as Document
  const all = { ...(overrides['claimFields'] as Document | undefined), ...asked.claimFields }
  return Object.fromEntries(Object.entries(all).filter(([id, value]) => value !== (given[id] ?? null)))
}

/** What the source says of a field. How it reads a reference that it does not say it of counts only for the very value that it gives. */
const sourceValue = (field: UserFieldName, { fields }: Asked, base: Document): unknown => {
  const said = baseValue(base, field)
  const half = field.endsWith('ReferenceType') ? REFERENCE_HALVES[field] : undefined
  const value = half && base[half]
  return said === null && half && typeof value === 'string' && fields[half] === value ? usualReading(value) : said
}

/** Values that an override must have, by field; undefined: the source's own value is wanted. */
const wantedOverrides = (asked: Asked, person: Editable): Map<OverrideField, unknown> => {
  const { base, now } = person
  const wanted = new Map<OverrideField, unknown>()
  for (const [name, value] of Object.entries(asked.fields)) {
    const field = name as UserFieldName
    wanted.set(field, value === sourceValue(field, asked, base) ? undefined : value)
  }
  if (asked.fields.displayName !== undefined) {
    const name = nameToKeep(asked.fields.displayName, asked, now.fields)
    const wantsSource = derivesName(base) ? name === null : name === base['displayName']
    wanted.set('displayName', wantsSource ? undefined : name)
  }
  if (asked.active !== undefined) wanted.set('active', asked.active === baseValue(base, 'active') ? undefined : asked.active)
  if (Object.keys(asked.claimFields).length > 0) {
    const override = claimOverride(asked, person)
    wanted.set('claimFields', Object.keys(override).length > 0 ? override : undefined)
  }
  return wanted
}

const isNamed = (field: string, value: unknown, { renewed }: Asked): boolean =>
  renewed.has(field) || (field === 'claimFields' && Object.keys(value as Document).some((id) => renewed.has(`claimFields.${id}`)))

/** The terms afterwards of the overrides that keep their value, where they are others. */
const planRenewed = (
  asked: Asked,
  { overrides, terms }: Editable,
  wanted: ReadonlyMap<OverrideField, unknown>,
): Map<OverrideField, OverrideTerms> =>
  new Map(
    Object.entries(overrides).flatMap(([name, value]) => {
      const field = name as OverrideField
      const was = terms.get(field)
      if (!was || wanted.has(field) || !isNamed(field, value, asked)) return []
      const is = { ...was, ...asked.terms }
      return is.reason === was.reason && is.until === was.until ? [] : [[field, is] as const]
    }),
  )

/** An override that empties a field is told as null, as no override is: whoever sends both back as they were read wants neither changed. */
const isToldEmpty = (field: string, { renewed }: Asked, { overrides }: Editable): boolean => overrides[field] === null && renewed.has(field)

const planOverrides = (asked: Asked, person: Editable): EditPlan => {
  const wanted = wantedOverrides(asked, person)
  for (const field of asked.restored)
    if (!wanted.has(field as OverrideField) && !isToldEmpty(field, asked, person)) wanted.set(field as OverrideField, undefined)
  return {
    base: person.base,
    set: new Map([...wanted].filter(([, value]) => value !== undefined)),
    removed: new Set([...wanted].flatMap(([field, value]) => (value === undefined && field in person.overrides ? [field] : []))),
    renewed: planRenewed(asked, person, wanted),
  }
}

/** Everything that somebody without a source is, as a base. */
const wholeBase = ({ now: { fields, active, claimFields } }: Editable): Document => ({
  ...overlaid({}, { ...fields, displayName: nameToKeep(fields.displayName, { fields: {} } as Asked, fields) }),
  active,
  claimFields,
})

const planBase = (asked: Asked, person: Editable): EditPlan => {
  const { displayName, ...fields } = asked.fields
  const before = wholeBase(person)
  const named = { ...before, ...(displayName !== undefined && { displayName: nameToKeep(displayName, asked, person.now.fields) }) }
  return {
    base: overlaid(named, {
      ...fields,
      ...(asked.active !== undefined && { active: asked.active }),
      claimFields: overlaid(person.now.claimFields, asked.claimFields),
    }),
    set: new Map(),
    // of somebody who has lost their source: what they were is in the base from now on
    removed: new Set(Object.keys(person.overrides) as OverrideField[]),
    renewed: new Map(),
    ...(asked.siteId !== undefined && { siteId: asked.siteId }),
  }
}

/** What an edit that may be made comes to; undefined where everything is so already. */
export const planEdit = (asked: Asked, person: Editable): EditPlan | undefined => {
  if (!person.linked) return askedFields(asked).length > 0 ? planBase(asked, person) : undefined
  const plan = planOverrides(asked, person)
  return plan.set.size + plan.removed.size + plan.renewed.size > 0 ? plan : undefined
}
