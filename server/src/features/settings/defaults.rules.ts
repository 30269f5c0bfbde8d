import { DEFAULT_FIELDS, type DefaultField, type Defaults, type DefaultValues } from '@instep/contract/settings.ts'

/** What counts where nobody set anything (1-console.md section 9). */
const PRODUCT: Partial<Record<DefaultField, string>> = { accessCodeDelivery: 'none', phoneCountry: 'GB' }

/** Each field's value that counts, and where it comes from: the nearest set that names the field, even with nothing. */
export const effectiveDefaults = (tenant: DefaultValues, site: DefaultValues): NonNullable<Defaults['effective']> =>
  DEFAULT_FIELDS.map((field) => {
    if (field in site) return { field, value: site[field] ?? null, origin: 'site' }
    if (field in tenant) return { field, value: tenant[field] ?? null, origin: 'tenant' }
    return { field, value: PRODUCT[field] ?? null, origin: 'product' }
  })

/** The fields that two sets do not say the same of. */
export const changedDefaults = (was: DefaultValues, is: DefaultValues): DefaultField[] =>
  DEFAULT_FIELDS.filter((field) => field in was !== field in is || was[field] !== is[field])
