import { bindPartFilter } from './bind-filter.rules.ts'
import type { Filter } from './filter-text.rules.ts'
import { canonicalText, isObject, type Json, type JsonObject } from './json.ts'
import { matchesFilter } from './matches-filter.rules.ts'
import type { PatchStep } from './patch-operations.rules.ts'
import { readValue } from './read-resource.rules.ts'
import { refuse } from './scim-error.ts'
import { type Attribute, findAttribute } from './scim-schemas.ts'
import { foldValue } from './search-document.rules.ts'

type Step = PatchStep & { path: { attribute: Attribute } }

/** When one becomes the primary value, the others cease to be (RFC 7644 section 3.5.2.1). */
const crown = (list: readonly Json[], isCrowned: (index: number) => boolean): Json[] =>
  list.map((each, index) => (isObject(each) && each['primary'] === true && !isCrowned(index) ? { ...each, primary: false } : each))

const isPrimary = (value: Json): boolean => isObject(value) && value['primary'] === true

/** Which value of a list it is, whatever stands beside it. */
const identity = (attribute: Attribute, value: Json): string => {
  const folded = foldValue(attribute, value)
  if (!isObject(folded) || folded['value'] === undefined) return canonicalText(folded)
  return canonicalText([folded['value'], folded['type'] ?? null])
}

const readAll = (attribute: Attribute, value: Json | undefined): readonly Json[] => {
  const read = readValue(attribute, value)
  return Array.isArray(read) ? read : []
}

const addValues = (attribute: Attribute, current: readonly Json[], value: Json | undefined): Json[] => {
  let list = [...current]
  for (const added of readAll(attribute, value)) {
    const at = list.findIndex((each) => identity(attribute, each) === identity(attribute, added))
    const known = list[at]
    const place = at < 0 ? list.length : at
    list[place] = isObject(known) && isObject(added) ? { ...known, ...added } : added
    if (isPrimary(added)) list = crown(list, (index) => index === place)
  }
  return list
}

/** Entra ID names the values to remove beside the path. */
const removeValues = (attribute: Attribute, current: readonly Json[], value: Json): Json[] => {
  const keyOf = (each: Json) => {
    const folded = foldValue(attribute, each)
    return canonicalText(isObject(folded) && folded['value'] !== undefined ? folded['value'] : folded)
  }
  const gone = new Set(readAll(attribute, value).map(keyOf))
  return current.filter((each) => !gone.has(keyOf(each)))
}

/** What `emails[type eq "work"]` says of the value that it looks for; undefined where it does not say exactly one. */
const seedOf = (attribute: Attribute, filter: Filter): JsonObject | undefined => {
  if (filter.type === 'and') {
    const [left, right] = [seedOf(attribute, filter.left), seedOf(attribute, filter.right)]
    return left && right && { ...left, ...right }
  }
  if (filter.type !== 'compare' || filter.operator !== 'eq') return undefined
  const part = findAttribute(attribute.subAttributes, filter.path)
  const value = part && readValue(part, filter.value)
  return part && value !== undefined ? { [part.name]: value } : undefined
}

const changeValue = ({ op, path, value }: Step, each: JsonObject): JsonObject => {
  const { attribute, part } = path
  if (part) {
    const { [part.name]: _, ...others } = each
    const held = op === 'remove' ? undefined : readValue(part, value)
    return held === undefined ? others : { ...others, [part.name]: held }
  }
  const [read] = readAll(attribute, value)
  return isObject(read) ? { ...each, ...read } : each
}

const changeMatching = (current: readonly Json[], step: Step): Json[] => {
  const { op, path } = step
  const { attribute, filter, part } = path
  const bound = filter && bindPartFilter(attribute, filter)
  const fits = (each: Json) => isObject(each) && (!bound || matchesFilter(bound, foldValue(attribute, each)))
  if (op === 'remove' && !part) return current.filter((each) => !fits(each))
  if (current.some(fits)) {
    const crowned = (index: number) => fits(current[index] ?? null)
    const changed = current.map((each) => (isObject(each) && fits(each) ? changeValue(step, each) : each))
    return changed.some((each, index) => crowned(index) && isPrimary(each) && !isPrimary(current[index] ?? null))
      ? crown(changed, crowned)
      : changed
  }
  if (op === 'remove') return [...current]
  // replace makes what is missing too: Entra ID replaces what it never added
  const seed = filter ? seedOf(attribute, filter) : {}
  if (!seed) throw refuse('noTarget', `No value of ${attribute.name} fits the path.`)
  const made = changeValue(step, seed)
  return isPrimary(made) ? [...crown(current, () => false), made] : [...current, made]
}

/** The list after one step; it may be empty. */
export const changeList = (current: readonly Json[], step: Step): readonly Json[] => {
  const { op, path, value } = step
  const { attribute } = path
  if (path.filter || path.part) return changeMatching(current, step)
  if (op === 'add') return addValues(attribute, current, value)
  if (op === 'replace') return readAll(attribute, value)
  return value === undefined || value === null ? [] : removeValues(attribute, current, value)
}
