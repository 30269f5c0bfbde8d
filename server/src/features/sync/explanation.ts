import type { ExplainedField, Explanation } from '@instep/contract/explain.ts'
import { fieldsOf, holdsFor } from '@instep/contract/holds-for.ts'
import { type NamedRecord, showable, traceField } from '@instep/contract/mapping-trace.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { columnOf, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import type { ExplainedPerson, ExplainedRun } from './explain.views.ts'
import { createMapper } from './map-record.ts'
import { resolveMapping } from './resolve-mapping.ts'

/** A record's cells under the names of its columns. */
export const shownCells = ({ header, cells }: NamedRecord): Explanation['record']['cells'] =>
  header.map((column, place) => ({ column, text: showable(cells[place] ?? '') }))

/** What each mapped field came to, beside what the directory holds of the person. Pure. */
export const explainFields = (mapping: Mapping, record: NamedRecord | undefined, person: ExplainedPerson | undefined): ExplainedField[] =>
  userFieldNames.flatMap((field): ExplainedField[] => {
    const from = mapping.fields[field]
    if (!from) return []
    const trace = traceField(field, from, record ?? { header: [], cells: [] })
    const { value, by, at, reason, until } = person?.overrides.find((each) => each.field === field) ?? {}
    return [
      {
        ...trace,
        ...(record ? {} : { outcome: 'keep', cells: [] }),
        base: person?.base[field] ?? null,
        effective: person?.row[columnOf(field)] ?? null,
        override:
          by === undefined || at === undefined
            ? null
            : { value, by, at: new Date(at).toISOString(), reason: reason ?? null, until: until ?? null },
      },
    ]
  })

/** Whether a record is in the scope of a mapping, and the values that this was judged by. Pure. */
export const explainScope = (
  mapping: Mapping,
  { record, person, today }: { record: NamedRecord | undefined; person: ExplainedPerson | undefined; today: string },
): Explanation['scope'] => {
  const { scope } = mapping
  if (!scope) return { state: 'everybody', fields: [] }
  if (!record) return { state: 'unknown', fields: [] }
  const { values, initial } = createMapper(resolveMapping(mapping, record.header))(record.cells)
  const judged: Record<string, unknown> = { ...initial, ...person?.base, ...values }
  const fields = [...new Set(fieldsOf(scope))].map((field) => ({
    field,
    value: typeof judged[field as UserFieldName] === 'string' ? String(judged[field as UserFieldName]) : null,
  }))
  return { state: holdsFor(scope, today)(judged) ? 'in' : 'out', fields }
}

/** The run as an explanation shows it. */
export const shownRun = (run: ExplainedRun, configVersion: number | null): Explanation['run'] => ({
  id: run.id,
  fileName: typeof run.input.fileName === 'string' ? run.input.fileName : null,
  createdAt: run.createdAt.toISOString(),
  createdBy: run.createdBy.name,
  state: run.state,
  held: run.held as NonNullable<Explanation['run']>['held'],
  decidedBy: run.decidedBy?.name ?? null,
  decisionReason: run.decisionReason,
  configVersion,
})

/** Whom a record met. */
export const shownMatch = (person: ExplainedPerson | undefined, state: Explanation['match']['state']): Explanation['match'] => ({
  state,
  person: person
    ? {
        id: person.id,
        connectorId: person.connectorId,
        displayName: person.displayName,
        employeeId: person.employeeId,
        active: person.active,
      }
    : null,
})

/** The decision that nobody changes. */
export const nothingChanges = (code?: string): Explanation['decision'] => ({
  kind: 'nothing',
  state: null,
  reasons: code ? [{ code }] : [],
  before: {},
  after: {},
})
