/** Default values as they are typed: set here, set to nothing here, or inherited. Pure. */
import { DEFAULT_FIELDS, type DefaultField, type Defaults, type DefaultValues } from '@instep/contract/settings.ts'

/** By field what is set here: null = nothing, absent = what is inherited counts. */
export type TypedDefaults = Readonly<Partial<Record<DefaultField, string | null | undefined>>>

export type Origin = 'site' | 'tenant' | 'product'

export interface Counting {
  readonly value: string | null
  readonly origin: Origin
}

export const typedOf = (defaults: Pick<Defaults, 'values'>): TypedDefaults => ({ ...defaults.values })

const entryOf = (defaults: Pick<Defaults, 'effective'>, field: DefaultField): Counting | undefined =>
  defaults.effective?.find((one) => one.field === field)

/** What counts where nothing is set here. Undefined where it is hidden below the tenant's own value, so that nothing says it yet. */
export const inheritedOf = (
  field: DefaultField,
  { own, tenant }: { own: Pick<Defaults, 'effective' | 'siteId'>; tenant: Pick<Defaults, 'effective'> | undefined },
): Counting | undefined => {
  if (own.siteId !== null) return tenant && entryOf(tenant, field)
  const counts = entryOf(own, field)
  return counts?.origin === 'product' ? counts : undefined
}

/** What counts as things are typed now. */
export const countingOf = (
  typed: TypedDefaults,
  field: DefaultField,
  above: { own: Origin; inherited: Counting | undefined },
): Counting | undefined => {
  const value = typed[field]
  return value === undefined ? above.inherited : { value, origin: above.own }
}

/** A field after something was written into it: an emptied one is set to nothing where something would be inherited. */
export const withText = (
  typed: TypedDefaults,
  field: DefaultField,
  { text, inherited }: { text: string; inherited: Counting | undefined },
): TypedDefaults => {
  if (text.trim() !== '') return { ...typed, [field]: text }
  return inherited && inherited.value === null ? withoutField(typed, field) : { ...typed, [field]: null }
}

/** A field that inherits again. */
export const withoutField = (typed: TypedDefaults, field: DefaultField): TypedDefaults => {
  const { [field]: _gone, ...rest } = typed
  return rest
}

const tidy = (value: string | null | undefined): string | null | undefined => (typeof value === 'string' ? value.trim() || null : value)

/** Fields whose value differs from what is stored. */
export const changedFields = (typed: TypedDefaults, stored: TypedDefaults): DefaultField[] =>
  DEFAULT_FIELDS.filter((field) => tidy(typed[field]) !== tidy(stored[field]))

/** What is stored with the changed fields in place; untouched ones go back as they came. */
export const valuesToSave = (typed: TypedDefaults, stored: TypedDefaults): DefaultValues => {
  const values: Partial<Record<DefaultField, string | null | undefined>> = { ...stored }
  for (const field of changedFields(typed, stored)) {
    const value = tidy(typed[field])
    if (value === undefined) delete values[field]
    else values[field] = value
  }
  return values as DefaultValues
}
