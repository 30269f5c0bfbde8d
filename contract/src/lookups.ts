/** Lookup values: what departments, titles, locations … there are (decisions.md section 2). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { lineOfText } from './line-of-text.ts'
import { Id, Instant, page, pageQuery, queryBoolean, SearchText } from './page.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'
import { MAX_TEXT } from './user-fields.ts'

export const REFERENCE_KINDS = [
  'Department',
  'JobTitle',
  'Location',
  'Division',
  'Organization',
  'CostCenter',
  'Manager',
  'Country',
  'Locality',
  'EmploymentType',
  'UserType',
] as const
export const ReferenceKind = z.enum(REFERENCE_KINDS)
export type ReferenceKind = z.infer<typeof ReferenceKind>

/** Kinds that are kept as values; a `Manager` is a person and is searched among people. */
export const KEPT_KINDS = REFERENCE_KINDS.filter((kind) => kind !== 'Manager')

export const LookupValue = z.object({
  id: Id,
  referenceType: ReferenceKind,
  value: z.string(),
  /** Second line of a suggestion: a manager's job title. */
  detail: z.string().nullable(),
  /** Of a job title: the departments that it is used in; empty = any. */
  departments: z.array(z.string()),
  origin: z.enum(['sync', 'admin']),
  retired: z.boolean(),
  createdAt: Instant,
})
export type LookupValue = z.infer<typeof LookupValue>

export const listLookups = endpoint({
  id: 'lookups.list',
  method: 'GET',
  path: '/connectors/{connectorId}/lookup-fields',
  summary: 'Values of one kind, by name; retired ones only when asked for. `Department` narrows job titles to those allowed in it.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenantOrConnector',
  params: z.object({ connectorId: Id }),
  query: z.object({
    ...pageQuery,
    ReferenceType: ReferenceKind,
    SearchText: SearchText.optional(),
    Department: z.string().max(250).optional(),
    retired: queryBoolean,
  }),
  response: page(LookupValue),
  problems: ['TOKEN_FOREIGN'],
})

const value = lineOfText({ longest: MAX_TEXT, missing: 'required' })
const departments = z.array(value).max(200)
const editing = { who: { roles: TENANT_ADMINS, bit: 'editSettings' }, within: 'tenant', response: LookupValue } as const

export const createLookup = endpoint({
  ...editing,
  id: 'lookups.create',
  method: 'POST',
  path: '/connectors/{tenantId}/lookup-fields',
  summary: 'Adds a value; one that was retired is offered again.',
  params: z.object({ tenantId: Id }),
  body: z.object({ referenceType: z.enum(KEPT_KINDS as [ReferenceKind, ...ReferenceKind[]]), value, departments: departments.default([]) }),
  status: 201,
  problems: ['LOOKUP_VALUE_TAKEN', 'MAINTENANCE'],
})

export const updateLookup = endpoint({
  ...editing,
  id: 'lookups.update',
  method: 'PUT',
  path: '/connectors/{tenantId}/lookup-fields/{id}',
  summary: 'Retires a value or offers it again, or says which departments a job title is used in. People who have the value keep it.',
  params: z.object({ tenantId: Id, id: Id }),
  body: z.object({ retired: z.boolean().optional(), departments: departments.optional() }),
  problems: ['MAINTENANCE'],
})
