/** Finds resources by attribute without looking at each, and refuses a value that is taken where it must be unique. */
import { type JsonObject, topLevel } from '../scim/read-document.ts'
import type { ResourceKind } from '../scim/schemas.ts'
import { ScimError } from '../scim/scim-error.ts'

export interface ResourceIndex {
  enter(id: string, document: JsonObject): void
  withdraw(id: string, document: JsonObject): void
  /** 409 `uniqueness` when another resource than `id` holds a value that must be unique. */
  refuseTaken(id: string, document: JsonObject): void
  /** Ids by an attribute's lower-case name and value; undefined when the attribute is not indexed. */
  lookUp(attribute: string, value: string): readonly string[] | undefined
}

interface AttributeIndex {
  readonly attribute: string
  readonly exact: boolean
  readonly unique: boolean
  readonly ids: Map<string, Set<string>>
}

const keyOf = (index: AttributeIndex, document: JsonObject): string | undefined => {
  const value = document[index.attribute]
  if (typeof value !== 'string') return undefined
  return index.exact ? value : value.toLowerCase()
}

const indexesOf = (kind: ResourceKind): AttributeIndex[] =>
  topLevel(kind)
    .filter((attribute) => attribute.name === 'externalId' || (attribute.uniqueness === 'server' && attribute.name !== 'id'))
    .map(({ name, caseExact, uniqueness }) => ({ attribute: name, exact: caseExact, unique: uniqueness === 'server', ids: new Map() }))

/** An empty index of the kind's external id and of what must be unique in it. */
export const createResourceIndex = (kind: ResourceKind): ResourceIndex => {
  const indexes = indexesOf(kind)
  return {
    enter: (id, document) => {
      for (const index of indexes) {
        const key = keyOf(index, document)
        if (key !== undefined) index.ids.set(key, (index.ids.get(key) ?? new Set()).add(id))
      }
    },
    withdraw: (id, document) => {
      for (const index of indexes) {
        const key = keyOf(index, document)
        const ids = key === undefined ? undefined : index.ids.get(key)
        if (key === undefined || !ids) continue
        ids.delete(id)
        if (ids.size === 0) index.ids.delete(key)
      }
    },
    refuseTaken: (id, document) => {
      for (const index of indexes.filter((each) => each.unique)) {
        const holder = [...(index.ids.get(keyOf(index, document) ?? '') ?? [])].find((each) => each !== id)
        if (holder === undefined) continue
        const detail = `${index.attribute} "${document[index.attribute]}" is taken by ${kind.name.toLowerCase()} ${holder}.`
        throw new ScimError(409, detail, 'uniqueness')
      }
    },
    lookUp: (attribute, value) => {
      const index = indexes.find((each) => each.attribute.toLowerCase() === attribute)
      return index && [...(index.ids.get(index.exact ? value : value.toLowerCase()) ?? [])]
    },
  }
}
