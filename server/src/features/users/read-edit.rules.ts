import { readApiDate } from '@instep/contract/dates.ts'
import type { FieldCode } from '@instep/contract/field-message.ts'
import { cleanText, isNumber, readField } from '@instep/contract/field-values.ts'
import { prefixProblem } from '@instep/contract/id-prefix.ts'
import type { UserInput } from '@instep/contract/user-edits.ts'
import { MAX_TEXT, USER_FIELDS, type UserField, type UserFieldName } from '@instep/contract/user-fields.ts'
import { fieldsOf, pathOf, type UserFields } from '@instep/contract/user-shape.ts'
import type { EditableField } from '@instep/contract/users.ts'
import { derivedName } from './base-value.rules.ts'
import type { Wrong } from './field-words.ts'
import { fieldsOfKey, hasLeaves, REFERENCE_HALVES } from './override-keys.rules.ts'

/** What somebody is now, as far as an edit can ask for something else. */
export interface Current {
  /** As the API shape tells them. */
  readonly fields: UserFields
  readonly active: boolean
  readonly claimFields: Readonly<Record<string, string>>
  readonly siteId: string | null
}

/** What is to change: only what is not so already. null clears. */
export interface Asked {
  readonly fields: Partial<UserFields>
  readonly active?: boolean
  readonly claimFields: Readonly<Record<string, string | null>>
  readonly siteId?: string | null
  /** Fields that go back to what the source says. */
  readonly restored: ReadonlySet<EditableField>
  /** Fields, or attributes as `claimFields.<id>`, whose override, where there is one, keeps its value and takes the terms of this edit. */
  readonly renewed: ReadonlySet<string>
  readonly terms: Partial<OverrideTerms>
}

/** Why an override is there, and the last day on which it holds, `YYYY-MM-DD`. */
export interface OverrideTerms {
  readonly reason: string | null
  readonly until: string | null
}

const isRequired = (field: UserFieldName): boolean => (USER_FIELDS[field] as UserField).required === true

/** A value as it is kept, or what is wrong with it. */
const readText = (field: UserFieldName, given: string | null): { value: string | null } | { wrong: string } => {
  const text = cleanText(given ?? '')
  if (text === undefined) return { wrong: 'characters' }
  // nobody is without a delivery: it is none
  if (text === '' && field === 'accessCodeDelivery') return { value: 'none' }
  if (text === '') return isRequired(field) ? { wrong: 'required' } : { value: null }
  const wrong = field === 'externalIdPrefix' ? prefixProblem(text) : undefined
  return wrong ? { wrong } : readField(field, text, 'YMD')
}

/** Whether the value is the one that somebody has; a name that is cleared is made of given and family name. */
const isSo = (field: UserFieldName, value: string | null, now: UserFields): boolean =>
  value === now[field] || (field === 'displayName' && value === null && now.displayName === derivedName(now.givenName, now.familyName))

interface ReadFields {
  readonly fields: Partial<UserFields>
  /** Named with the value that they have. */
  readonly same: readonly UserFieldName[]
}

const readFields = (input: UserInput, now: UserFields | undefined, wrong: Wrong): ReadFields => {
  const fields: Partial<UserFields> = {}
  const same: UserFieldName[] = []
  for (const [name, given] of Object.entries(fieldsOf(input))) {
    const field = name as UserFieldName
    // what stays as it is has been let in before
    const read = now && given === now[field] ? { value: given } : readText(field, given)
    // every code of a reader has its words: a test holds it
    if ('wrong' in read) wrong[pathOf(field)] = read.wrong as FieldCode
    else if (now && isSo(field, read.value, now)) same.push(field)
    else fields[field] = read.value
  }
  return { fields, same }
}

/** Both halves of a reference where one of them changes, so that one is never read the other's way. */
const completeReferences = (asked: Partial<UserFields>, now: UserFields): Partial<UserFields> => {
  const others = Object.keys(asked).flatMap((field) => {
    const other = REFERENCE_HALVES[field as UserFieldName]
    return other && asked[other] === undefined ? [[other, now[other]] as const] : []
  })
  return { ...asked, ...Object.fromEntries(others) }
}

const kept = ({ type }: { type: string }): string => (type === 'mobile' ? 'personal' : type)

/** A person has one e-mail address and one phone number of a kind; a second would be lost without a word. */
const readContacts = ({ emails, phoneNumbers }: UserInput, wrong: Wrong): void => {
  for (const [list, entries] of Object.entries({ emails, phoneNumbers }))
    if (entries && new Set(entries.map(kept)).size < entries.length) wrong[list] = 'onlyOne'
}

const ATTRIBUTE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MOST_ATTRIBUTES = 100

/** What a tenant's own security attributes hold, by id. */
export type AttributeTypes = ReadonlyMap<string, 'text' | 'numeric' | 'date'>

/** A value of an attribute as it is kept: days as `YYYY-MM-DD`. One that the tenant no longer has is a text. */
const readAttribute = (text: string, type: 'text' | 'numeric' | 'date' = 'text'): { value: string } | { wrong: FieldCode } => {
  if ([...text].length > MAX_TEXT) return { wrong: 'tooLong' }
  if (type === 'numeric') return isNumber(text) ? { value: text } : { wrong: 'number' }
  if (type === 'text') return { value: text }
  const date = readApiDate(text)
  return date === undefined ? { wrong: 'apiDate' } : { value: date }
}

const readClaimFields = (
  { extension }: UserInput,
  { now, attributes }: { now: Current['claimFields']; attributes: AttributeTypes },
  wrong: Wrong,
): Asked['claimFields'] => {
  const given = extension?.claimFields
  // null clears them all
  if (given === null) return Object.fromEntries(Object.keys(now).map((id) => [id, null]))
  const asked: Record<string, string | null> = {}
  for (const [id, value] of Object.entries(given ?? {})) {
    const text = cleanText(value ?? '')
    const path = `extension.claimFields.${id}`
    if (!ATTRIBUTE.test(id)) wrong[path] = 'unknown'
    else if (text === undefined) wrong[path] = 'characters'
    else if ((text || null) !== (now[id] ?? null)) {
      const read = text === '' ? { value: null } : readAttribute(text, attributes.get(id))
      if ('wrong' in read) wrong[path] = read.wrong
      else if (read.value !== (now[id] ?? null)) asked[id] = read.value
    }
  }
  if (Object.keys({ ...now, ...asked }).length > MOST_ATTRIBUTES) wrong['extension.claimFields'] = 'tooMany'
  return asked
}

/** The keys that stand at null, leaves as `name.givenName`, and those that name nothing; what an override holds is told, and not taken. */
const nullKeys = (overrides: UserInput['overrides']): string[] =>
  Object.entries(overrides ?? {}).flatMap(([key, value]) => {
    if (value === null || !hasLeaves(key)) return value === null || !fieldsOfKey(key) ? [key] : []
    return Object.entries(value ?? {}).flatMap(([leaf, inner]) => (inner === null ? [`${key}.${leaf}`] : []))
  })

const readRestored = ({ overrides }: UserInput, wrong: Wrong): ReadonlySet<EditableField> => {
  const restored = new Set<EditableField>()
  for (const key of nullKeys(overrides)) {
    const fields = fieldsOfKey(key)
    if (!fields) wrong[`overrides.${key}`] = 'unknown'
    for (const field of fields ?? []) restored.add(field)
  }
  return restored
}

/** What is to be renewed: what is named for it, and what is named with the value that it has. */
const readRenewed = (
  input: UserInput,
  { same, now }: { same: readonly UserFieldName[]; now: Current },
  wrong: Wrong,
): ReadonlySet<string> => {
  const renewed = new Set<string>(same)
  for (const key of input.renewedOverrides ?? []) {
    const fields = fieldsOfKey(key)
    if (!fields) wrong['renewedOverrides'] = 'unknown'
    for (const field of fields ?? []) renewed.add(field)
  }
  if (input.active === now.active) renewed.add('active')
  for (const [id, value] of Object.entries(input.extension?.claimFields ?? {}))
    if ((cleanText(value ?? '') || null) === (now.claimFields[id] ?? null)) renewed.add(`claimFields.${id}`)
  return renewed
}

const readTerms = ({ overrideReason, overrideUntil }: UserInput): Partial<OverrideTerms> => ({
  ...(overrideReason !== undefined && { reason: overrideReason || null }),
  ...(overrideUntil !== undefined && { until: overrideUntil }),
})

/** What an edit asks to change, and what of it cannot be taken. */
export const readEdit = (input: UserInput, now: Current, attributes: AttributeTypes): { asked: Asked; wrong: Wrong } => {
  const wrong: Wrong = {}
  readContacts(input, wrong)
  const { fields, same } = readFields(input, now.fields, wrong)
  readPeriod(fields, now.fields, wrong)
  const asked: Asked = {
    fields: completeReferences(fields, now.fields),
    claimFields: readClaimFields(input, { now: now.claimFields, attributes }, wrong),
    restored: readRestored(input, wrong),
    renewed: readRenewed(input, { same, now }, wrong),
    terms: readTerms(input),
    ...(input.active !== undefined && input.active !== now.active && { active: input.active }),
    ...(input.siteId !== undefined && input.siteId !== now.siteId && { siteId: input.siteId }),
  }
  return { asked, wrong }
}

/** Whoever leaves before they come was typed wrong; what the source says of both is its own affair. */
const readPeriod = (asked: Partial<UserFields>, now: UserFields | undefined, wrong: Wrong): void => {
  const given = (['endDate', 'startDate'] as const).find((field) => asked[field] !== undefined)
  if (!given) return
  const [start, end] = (['startDate', 'endDate'] as const).map((field) => (asked[field] === undefined ? now?.[field] : asked[field]))
  if (start && end && end < start) wrong[pathOf(given)] ??= 'endBeforeStart'
}

const REQUIRED = ['externalId', 'givenName', 'familyName'] as const

/** The base of somebody who is created, and what of it cannot be taken. */
export const readNewPerson = (input: UserInput, attributes: AttributeTypes): { document: Record<string, unknown>; wrong: Wrong } => {
  const wrong: Wrong = {}
  readContacts(input, wrong)
  const { fields } = readFields(input, undefined, wrong)
  readPeriod(fields, undefined, wrong)
  const claimFields = readClaimFields(input, { now: {}, attributes }, wrong)
  for (const field of REQUIRED) if (fields[field] === undefined) wrong[pathOf(field)] ??= 'required'
  const values = { ...fields, active: input.active ?? true, ...(Object.keys(claimFields).length > 0 && { claimFields }) }
  return { document: withoutNothing(values), wrong }
}

/** Without what has no value, at any depth. */
const withoutNothing = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (value === null || value === undefined) return []
      return [[key, typeof value === 'object' ? withoutNothing(value as Record<string, unknown>) : value]]
    }),
  )
