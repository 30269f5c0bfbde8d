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
  const event = isBrought ? newest(brought, field) : undefined
  const column = person.linked && field !== 'active' ? mapping?.fields[field] : undefined
  return {
    field,
    value,
    origin,
    connectorName: person.connector_name,
    ...broughtBy(event),
    mapping:
      column && mapping && columnsOf(column).length > 0
        ? { column: columnsOf(column).join(', '), dateFormat: column.dateFormat ?? null, version: mapping.version }
        : null,
    override: override
      ? { base: baseValue(person.base, field), by: override.by, at: override.at, reason: override.reason, until: override.until }
      : null,
  }
}

const newest = (brought: readonly Brought[], field: string): Brought | undefined =>
  brought.find((row) => row.field === field) ?? brought.find((row) => row.field === '')

const broughtBy = (event: Brought | undefined): Pick<Provenance, 'runId' | 'at' | 'by'> => ({
  runId: event?.run_id ?? null,
  at: event?.at.toISOString() ?? null,
  by: event?.by ?? null,
})

/** Where somebody works: a source puts them there, or somebody has moved them. */
const siteProvenance = ({ person, brought }: Known): Provenance => {
  const event = newest(brought, 'siteId')
  const bySource = person.linked && (!event || event.run_id !== null)
  const origin = person.site_id === null ? 'none' : bySource ? 'source' : 'manual'
  return {
    field: 'siteId',
    value: person.site_id,
    origin,
    connectorName: person.connector_name,
    ...broughtBy(origin === 'none' ? undefined : event),
    mapping: null,
    override: null,
  }
}

const attributesOf = (document: unknown): Readonly<Record<string, unknown>> => (document ?? {}) as Record<string, unknown>

/** Custom security attributes, each by itself: of an override those that it names. */
const attributeProvenances = ({ person, brought }: Known): Provenance[] => {
  const override = person.override_list.find(({ field }) => field === 'claimFields')
  const over = attributesOf(override?.value)
  const base = attributesOf(baseValue(person.base, 'claimFields'))
  const ids = [...new Set([...Object.keys(base), ...Object.keys(over), ...Object.keys(person.claim_fields)])]
  return ids.map((id) => {
    const isOver = override !== undefined && Object.hasOwn(over, id)
    return {
      field: `claimFields.${id}`,
      value: person.claim_fields[id] ?? null,
      origin: isOver ? 'override' : person.linked ? 'source' : 'manual',
      connectorName: person.connector_name,
      ...broughtBy(isOver ? undefined : newest(brought, 'claimFields')),
      mapping: null,
      override: isOver
        ? { base: base[id] ?? null, by: override.by, at: override.at, reason: override.reason, until: override.until }
        : null,
    }
  })
}

/** Where each value of a person comes from: every field, the site, and each custom security attribute as `claimFields.<id>`. */
export const presentProvenance = (known: Known): Provenance[] => [
  ...FIELDS.map((field) => provenanceOf(known, field)),
  siteProvenance(known),
  ...attributeProvenances(known),
]
