import { columnsOf } from '@instep/contract/mapped-field.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Provenance } from '@instep/contract/user-history.ts'
import { baseValue } from './base-value.rules.ts'
import type { PersonRecord } from './person.views.ts'
import { currentOf } from './person-state.ts'
import type { Brought, MappingInForce } from './provenance.views.ts'

const FIELDS = [...userFieldNames, 'active'] as const
type Field = (typeof FIELDS)[number]

interface Known {
  readonly person: PersonRecord
  readonly brought: readonly Brought[]
  readonly mapping: MappingInForce | undefined
}

const originOf = ({ person }: Known, field: Field, value: unknown): Provenance['origin'] => {
  if (person.override_list.some((override) => override.field === field)) return 'override'
  if (value === null) return 'none'
  // what neither source nor hand has said follows from the others, or from the product
  if (!(field in person.base)) return 'default'
  return person.linked ? 'source' : 'manual'
}

const provenanceOf = (known: Known, field: Field): Provenance => {
  const { person, brought, mapping } = known
  const { fields, active } = currentOf(person)
  const value = field === 'active' ? active : (fields[field] ?? null)
  const origin = originOf(known, field, value)
  const override = person.override_list.find((row) => row.field === field)
  const isBrought = origin === 'source' || origin === 'manual'
  const event = isBrought ? (brought.find((row) => row.field === field) ?? brought.find((row) => row.field === '')) : undefined
  const column = person.linked && field !== 'active' ? mapping?.fields[field] : undefined
  return {
    field,
    value,
    origin,
    connectorName: person.connector_name,
    runId: event?.run_id ?? null,
    at: event?.at.toISOString() ?? null,
    by: event?.by ?? null,
    mapping:
      column && mapping && columnsOf(column).length > 0
        ? { column: columnsOf(column).join(', '), dateFormat: column.dateFormat ?? null, version: mapping.version }
        : null,
    override: override
      ? { base: baseValue(person.base, field), by: override.by, at: override.at, reason: override.reason, until: override.until }
      : null,
  }
}

/** Where each value of a person comes from. */
export const presentProvenance = (known: Known): Provenance[] => FIELDS.map((field) => provenanceOf(known, field))
