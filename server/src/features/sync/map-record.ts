import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import type { Reason } from './plan-row.ts'
import { readValue } from './read-values.ts'
import type { ResolvedMapping } from './resolve-mapping.ts'

/** Base values that a record gives, by field; null: the record says that there is none. A field that is not here is left as it is. */
export type BaseValues = Partial<Record<UserFieldName, string | null>>

export interface MappedRecord {
  readonly values: BaseValues
  /** Why the record cannot be used; empty when it can. */
  readonly problems: readonly Reason[]
}

const SHOWN = 80
// what neither the database nor a screen can take
const UNSHOWABLE = /[\p{Cc}\p{Cs}]/gu

/** A cell as it can be shown beside a problem. */
const shown = (cell: string): string => cell.trim().slice(0, SHOWN).replace(UNSHOWABLE, '\ufffd')

/** Whether a record can say this field, given what its file lost: a value derived from a lost column would be a guess. */
const derivable = (lost: ReadonlySet<UserFieldName>, ...fields: UserFieldName[]): boolean => fields.every((field) => !lost.has(field))

/** Fills a field that the record leaves empty; where it cannot be derived, the record says nothing about it. */
const derive = (values: BaseValues, field: UserFieldName, value: string | undefined): void => {
  if (values[field]) return
  if (value === undefined) delete values[field]
  else values[field] = value
}

/**
 * Makes the function that turns a record's cells into base values. Derived where the source is silent: displayName is given + family name,
 * accessCodeDelivery is the work email where there is one, else none (decisions.md section 9).
 */
export const createMapper = ({ columns, lost }: ResolvedMapping): ((cells: readonly string[]) => MappedRecord) => {
  const required = columns.map(({ field }) => 'required' in USER_FIELDS[field])
  const namesDisplay = derivable(lost, 'displayName', 'givenName', 'familyName')
  const choosesDelivery = derivable(lost, 'accessCodeDelivery', 'workEmail')
  const readCells = (cells: readonly string[], values: BaseValues): Reason[] => {
    const problems: Reason[] = []
    for (const [place, column] of columns.entries()) {
      const cell = cells[column.index] ?? ''
      const read = readValue(cell, column)
      if ('wrong' in read) problems.push({ code: read.wrong, field: column.field, params: { value: shown(cell) } })
      else if (read.value === null && required[place]) problems.push({ code: 'required', field: column.field })
      else values[column.field] = read.value
    }
    return problems
  }
  return (cells) => {
    const values: BaseValues = {}
    const problems = readCells(cells, values)
    if (problems.length > 0) return { values, problems }
    derive(values, 'displayName', namesDisplay ? `${values.givenName ?? ''} ${values.familyName ?? ''}` : undefined)
    derive(values, 'accessCodeDelivery', choosesDelivery ? (values.workEmail ? 'email.work' : 'none') : undefined)
    return { values, problems }
  }
}
