import type { MatchCaseDetail } from '@instep/contract/match-cases.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'

/** How a value of somebody stands to the record's: alike whatever its case and outer spaces, different, or not to be told. */
export type Likeness = 'same' | 'different' | 'unknown'

/** One field of the record beside those of its candidates, in their order. */
export interface ComparedField {
  readonly field: string
  readonly value: string | null
  readonly people: readonly { readonly userId: string; readonly value: string | null; readonly likeness: Likeness }[]
}

const fold = (text: string): string => text.trim().toLocaleLowerCase('und')

const likenessOf = (record: string | null, person: string | null): Likeness => {
  if (!record || !person) return 'unknown'
  return fold(record) === fold(person) ? 'same' : 'different'
}

/** The fields that the record or anybody it may be has a value of; those in which somebody agrees come first. */
export const compareCase = ({ values, people }: Pick<MatchCaseDetail, 'values' | 'people'>): ComparedField[] => {
  const fields = userFieldNames
    .filter((field) => values[field] || people.some((person) => person.values[field]))
    .map((field) => {
      const value = values[field] ?? null
      return {
        field,
        value,
        people: people.map((person) => {
          const theirs = person.values[field] ?? null
          return { userId: person.userId, value: theirs, likeness: likenessOf(value, theirs) }
        }),
      }
    })
  const rank = ({ people: compared }: ComparedField): number =>
    compared.some(({ likeness }) => likeness === 'same') ? 0 : compared.some(({ likeness }) => likeness === 'different') ? 1 : 2
  return fields.toSorted((a, b) => rank(a) - rank(b))
}
