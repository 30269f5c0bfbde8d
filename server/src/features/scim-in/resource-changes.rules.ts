import { canonicalText, isObject, type Json, type JsonObject } from './json.ts'

/** What changed between two resources, attribute by attribute; parts of extensions by their own names. */
export interface ResourceChanges {
  readonly names: readonly string[]
  readonly before: Record<string, Json>
  readonly after: Record<string, Json>
}

const flat = (resource: JsonObject): Map<string, Json> => {
  const members = Object.entries(resource).flatMap(([name, value]): [string, Json][] =>
    /^urn:/i.test(name) && isObject(value) ? Object.entries(value) : [[name, value]],
  )
  return new Map(members)
}

/** What an event tells: the changed attributes with their old and new values. */
export const resourceChanges = (before: JsonObject, after: JsonObject): ResourceChanges => {
  const [old, now] = [flat(before), flat(after)]
  const names = [...new Set([...now.keys(), ...old.keys()])].filter((name) => canonicalText(old.get(name)) !== canonicalText(now.get(name)))
  const pick = (from: Map<string, Json>) => Object.fromEntries(names.map((name) => [name, from.get(name) ?? null]))
  return { names, before: pick(old), after: pick(now) }
}
