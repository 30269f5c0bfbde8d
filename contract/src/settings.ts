/**
 * Default values for new people, of a tenant and of its sites, and the custom security attributes of the activation portal. The form for somebody
 * new begins with the defaults, and whoever fills it in sees them; a call that adds somebody says everything itself.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { lineOfText, upTo } from './line-of-text.ts'
import { Id, Instant, queryBoolean } from './page.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'
import { DELIVERIES, MAX_TEXT } from './user-fields.ts'

/** Fields of a person that can have a default. */
export const DEFAULT_FIELDS = [
  'preferredLanguage',
  'accessCodeDelivery',
  'phoneCountry',
  'locationName',
  'department',
  'title',
  'division',
  'organization',
  'locality',
  'country',
  'timezone',
  'userType',
  'employmentType',
] as const
export type DefaultField = (typeof DEFAULT_FIELDS)[number]

const text = lineOfText({ longest: MAX_TEXT }).nullable()
/** Values by field; absent = not set here (the tenant's counts), null = set to nothing here. */
export const DefaultValues = z
  .object({
    ...(Object.fromEntries(DEFAULT_FIELDS.map((field) => [field, text])) as Record<DefaultField, typeof text>),
    accessCodeDelivery: z.enum(DELIVERIES),
    phoneCountry: z.string().regex(/^[A-Z]{2}$/),
  })
  .partial()
export type DefaultValues = z.infer<typeof DefaultValues>

/** A set of defaults. `id` is null where nothing was set yet. */
export const Defaults = z.object({
  id: Id.nullable(),
  tenantId: Id,
  siteId: Id.nullable(),
  values: DefaultValues,
  /** With `effective=true`: each field with the value that counts and where it comes from. */
  effective: z
    .array(
      z.object({
        field: z.enum(DEFAULT_FIELDS),
        value: z.string().nullable(),
        origin: z.enum(['site', 'tenant', 'product']),
      }),
    )
    .nullable(),
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
})
export type Defaults = z.infer<typeof Defaults>

const tenantParams = z.object({ tenantId: Id })
const reading = {
  who: { roles: PEOPLE_ADMINS },
  within: 'tenant',
  response: Defaults,
  query: z.object({ effective: queryBoolean }),
} as const

export const getDefaults = endpoint({
  ...reading,
  id: 'settings.getDefaults',
  method: 'GET',
  path: '/connectors/{tenantId}/defaults',
  summary: 'Default values of the tenant.',
  params: tenantParams,
})

export const getSiteDefaults = endpoint({
  ...reading,
  id: 'settings.getSiteDefaults',
  method: 'GET',
  path: '/connectors/{tenantId}/sites/{siteId}/defaults',
  summary: 'Default values of a site; with `effective=true` also what it inherits.',
  params: z.object({ tenantId: Id, siteId: Id }),
})

const SETTERS = ['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site'] as const
const editing = { who: { roles: SETTERS, bit: 'editSettings' }, within: 'tenant', response: Defaults } as const

export const createDefaults = endpoint({
  ...editing,
  id: 'settings.createDefaults',
  method: 'POST',
  path: '/connectors/{tenantId}/defaults',
  summary: 'Sets defaults where there are none yet: of the tenant (tenant level), or of a site that the caller looks after.',
  params: tenantParams,
  body: z.object({ siteId: Id.nullable().default(null), values: DefaultValues }),
  status: 201,
  problems: ['DEFAULTS_EXIST', 'MAINTENANCE'],
})

export const updateDefaults = endpoint({
  ...editing,
  id: 'settings.updateDefaults',
  method: 'PUT',
  path: '/connectors/{tenantId}/defaults/{id}',
  summary: 'Replaces a set of defaults.',
  params: z.object({ tenantId: Id, id: Id }),
  body: z.object({ values: DefaultValues }),
  problems: ['MAINTENANCE'],
})

/** A security attribute of the activation portal. Default ones are fields of the form; the others are kept in a person's `claimFields`. */
export const ClaimField = z.object({
  id: Id,
  displayName: z.string(),
  description: z.string(),
  type: z.enum(['text', 'numeric', 'date']),
  enabled: z.boolean(),
  isDefault: z.boolean(),
  /** Of a default attribute: the field of the form that it reads. */
  field: z.string().nullable(),
})
export type ClaimField = z.infer<typeof ClaimField>

export const getClaimFields = endpoint({
  id: 'settings.getClaimFields',
  method: 'GET',
  path: '/claim/{tenantId}/fields',
  summary: 'The security attributes of the activation portal in their order.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenant',
  params: tenantParams,
  response: z.object({ claimFields: z.array(ClaimField) }),
})

/** At most three are active (2-administration.md section 9). */
export const MOST_ACTIVE_CLAIM_FIELDS = 3

export const setClaimFields = endpoint({
  id: 'settings.setClaimFields',
  method: 'POST',
  path: '/claim/{tenantId}/fields',
  summary:
    'Replaces the set of security attributes: those without an id are added, default ones cannot be left out. At most three are active.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: tenantParams,
  body: z.object({
    claimFields: z
      .array(
        z.object({
          id: Id.optional(),
          displayName: lineOfText({ longest: 100, missing: 'enterName' }),
          description: upTo(300, z.string().trim()).default(''),
          type: z.enum(['text', 'numeric', 'date']),
          enabled: z.boolean(),
        }),
      )
      .max(50),
  }),
  response: z.object({ claimFields: z.array(ClaimField) }),
  problems: ['TOO_MANY_ACTIVE_FIELDS', 'MAINTENANCE'],
})
