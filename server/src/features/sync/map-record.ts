import { type MappedField, readMapped } from '@instep/contract/mapped-field.ts'
import { showable, showableParams } from '@instep/contract/mapping-trace.ts'
import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import type { Reason } from './plan-row.ts'
import type { ResolvedMapping } from './resolve-mapping.ts'

/** Base values that a record gives, by field; null: the record says that there is none. A field that is not here is left as it is. */
export type BaseValues = Partial<Record<UserFieldName, string | null>>

export interface MappedRecord {
  readonly values: BaseValues
  /** Derived values of fields that an empty cell leaves as they are: what somebody new has there. */
  readonly initial?: BaseValues
  /** Why the record cannot be used; empty when it can. */
  readonly problems: readonly Reason[]
}

const SHOWN = 80

/** A cell as it can be shown beside a problem. */
const shown = (cell: string): string => showable(cell.trim().slice(0, SHOWN))

/** Whether a record can say this field, given what its file lost: a value derived from a lost column would be a guess. */
const derivable = (lost: ReadonlySet<UserFieldName>, ...fields: UserFieldName[]): boolean => fields.every((field) => !lost.has(field))

/** Fills a field that the record leaves empty; where it cannot be derived, the record says nothing about it. */
const derive = (values: BaseValues, field: UserFieldName, value: string | undefined): void => {
  if (values[field]) return
  if (value === undefined) delete values[field]
  else values[field] = value
}

const displayNameOf = ({ givenName, familyName }: BaseValues): string => `${givenName ?? ''} ${familyName ?? ''}`
const deliveryOf = ({ workEmail }: BaseValues): string => (workEmail ? 'email.work' : 'none')

/** Makes the function that adds what follows from a record; it answers what follows for somebody new only. */
const createDeriver = ({ columns, lost }: ResolvedMapping): ((values: BaseValues) => BaseValues | undefined) => {
  const keeps = new Set(columns.flatMap(({ field, empty }) => (empty === undefined ? [field] : [])))
  const isKept = (values: BaseValues, field: UserFieldName): boolean => keeps.has(field) && values[field] === undefined
  const namesDisplay = derivable(lost, 'displayName', 'givenName', 'familyName')
  const choosesDelivery = derivable(lost, 'accessCodeDelivery', 'workEmail')
  const always = (values: BaseValues): undefined => {
    derive(values, 'displayName', namesDisplay ? displayNameOf(values) : undefined)
    derive(values, 'accessCodeDelivery', choosesDelivery ? deliveryOf(values) : undefined)
  }
  if (keeps.size === 0) return always
  return (values) => {
    const keepsDisplay = isKept(values, 'displayName')
    // an address that is kept may be there, so that nothing is known about the way to it
    const keepsDelivery = isKept(values, 'accessCodeDelivery') || (isKept(values, 'workEmail') && !values.accessCodeDelivery)
    const initial: BaseValues = {}
    if (keepsDisplay && namesDisplay) initial.displayName = displayNameOf(values)
    if (keepsDelivery && choosesDelivery) initial.accessCodeDelivery = deliveryOf(values)
    derive(values, 'displayName', namesDisplay && !keepsDisplay ? displayNameOf(values) : undefined)
    derive(values, 'accessCodeDelivery', choosesDelivery && !keepsDelivery ? deliveryOf(values) : undefined)
    return initial
  }
}

/** The text that a problem is shown with: as the transforms left it, else as it came. */
const concerned = (text: string | undefined, cells: readonly string[], { places: [place = -1] }: MappedField): string =>
  text ?? cells[place] ?? ''

/**
 * Makes the function that turns a record's cells into base values. Derived where the source is silent: displayName is given + family name,
 * accessCodeDelivery is the work email where there is one, else none (decisions.md section 9).
 */
export const createMapper = (mapping: ResolvedMapping): ((cells: readonly string[]) => MappedRecord) => {
  const { columns } = mapping
  const required = columns.map(({ field }) => 'required' in USER_FIELDS[field])
  const deriveFrom = createDeriver(mapping)
  const readCells = (cells: readonly string[], values: BaseValues): Reason[] => {
    const problems: Reason[] = []
    for (const [place, column] of columns.entries()) {
      const read = readMapped(cells, column)
      if (read === undefined) continue
      if ('wrong' in read)
        problems.push({
          code: read.wrong,
          field: column.field,
          params: {
            value: shown(concerned(read.text, cells, column)),
            ...(read.detail === undefined ? {} : { detail: showable(read.detail) }),
            ...(read.because && { ...showableParams(read.because.params), because: read.because.code }),
          },
        })
      else if (read.value === null && required[place]) problems.push({ code: 'required', field: column.field })
      else values[column.field] = read.value
    }
    return problems
  }
  return (cells) => {
    const values: BaseValues = {}
    const problems = readCells(cells, values)
    if (problems.length > 0) return { values, problems }
    const initial = deriveFrom(values)
    return initial ? { values, initial, problems } : { values, problems }
  }
}
