import type { BaseUrl } from './present-resource.ts'
import { type Attribute, RESOURCE_KINDS, SCHEMAS } from './scim-schemas.ts'

/** What one request may ask for; announced, and held to. */
export const LIMITS = { page: 500, bulkOperations: 1000, bodyBytes: 1_048_576 } as const

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** What the server can do (RFC 7643 section 5). */
export const serviceProviderConfig = (base: BaseUrl) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: LIMITS.bulkOperations, maxPayloadSize: LIMITS.bodyBytes },
  filter: { supported: true, maxResults: LIMITS.page },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of this connector, made in the console, in the header Authorization (RFC 6750).',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

/** The kinds of resource (RFC 7643 section 6). */
export const resourceTypes = (base: BaseUrl) =>
  RESOURCE_KINDS.map(({ name, endpoint, core, extensions }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description: core.description,
    schema: core.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

const presentAttribute = (attribute: Attribute): object => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued,
  description: attribute.description,
  required: attribute.required,
  caseExact: attribute.caseExact,
  mutability: attribute.mutability,
  returned: attribute.mutability === 'writeOnly' ? 'never' : 'default',
  uniqueness: attribute.uniqueness,
  ...(attribute.type === 'reference' ? { referenceTypes: ['uri'] } : {}),
  ...(attribute.subAttributes.length > 0 ? { subAttributes: attribute.subAttributes.map(presentAttribute) } : {}),
})

/** What resources are made of (RFC 7643 section 7). */
export const schemaDocuments = (base: BaseUrl) =>
  SCHEMAS.map(({ id, name, description, attributes }) => ({
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(presentAttribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }))
