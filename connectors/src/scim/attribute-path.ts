import { type AttributePath, readAttributePath } from '@instep/contract/attribute-rules.ts'

export type Members = Record<string, unknown>

export const isMembers = (value: unknown): value is Members => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The members of a value; none where it is no object. */
export const asMembers = (value: unknown): Members => (isMembers(value) ? value : {})

/** A path that the contract has let in. Throws where it is none: stored rules were checked. */
export const pathOf = (text: string): AttributePath => {
  const path = readAttributePath(text)
  if (!path) throw new Error(`no attribute path: ${text}`)
  return path
}

const holderOf = (resource: Members, { schema }: AttributePath): Members | undefined => {
  if (schema === null) return resource
  const extension = Object.hasOwn(resource, schema) ? resource[schema] : undefined
  return isMembers(extension) ? extension : undefined
}

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined)

/** What stands at a path; undefined where nothing does. */
export const valueAt = (resource: Members, path: AttributePath): unknown => {
  const holder = holderOf(resource, path)
  const held = holder && own(holder, path.attribute)
  const { filter, sub } = path
  if (filter) {
    const entry = (Array.isArray(held) ? held : []).find((one) => isMembers(one) && own(one, filter.name) === filter.value)
    return isMembers(entry) && sub !== null ? own(entry, sub) : undefined
  }
  if (sub === null) return held
  return isMembers(held) ? own(held, sub) : undefined
}

const without = (members: Members, name: string): Members => {
  const { [name]: _, ...rest } = members
  return rest
}

const withMember = (members: Members, name: string, value: unknown): Members =>
  value === undefined ? without(members, name) : { ...members, [name]: value }

const some = (members: Members): Members | undefined => (Object.keys(members).length > 0 ? members : undefined)

/** An entry that says nothing but which one it is. */
const isBare = (entry: Members, name: string): boolean => Object.keys(entry).every((member) => member === name || member === 'primary')

const withEntry = (
  held: unknown,
  filter: { name: string; value: string },
  given: { sub: string; value: unknown },
): unknown[] | undefined => {
  const entries = (Array.isArray(held) ? held : []).filter(isMembers)
  const found = entries.find((entry) => own(entry, filter.name) === filter.value)
  const changed = withMember(found ?? { [filter.name]: filter.value }, given.sub, given.value)
  const kept = found ? entries.map((entry) => (entry === found ? changed : entry)) : [...entries, changed]
  const left = kept.filter((entry) => entry !== changed || !isBare(entry, filter.name))
  return left.length > 0 ? left : undefined
}

/** A copy with another value at a path; undefined takes it away, with what is empty then. */
export const withValue = (resource: Members, path: AttributePath, value: unknown): Members => {
  const { schema, attribute, filter, sub } = path
  const holder = holderOf(resource, path) ?? {}
  const held = own(holder, attribute)
  const next = filter
    ? withEntry(held, filter, { sub: sub ?? 'value', value })
    : sub === null
      ? value
      : some(withMember(isMembers(held) ? held : {}, sub, value))
  const changed = withMember(holder, attribute, next)
  return schema === null ? changed : withMember(resource, schema, some(changed))
}
