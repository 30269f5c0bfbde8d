/** What the SCIM endpoint says about itself (RFC 7644 section 4). */
import { type Attribute, RESOURCE_KINDS, type ResourceKind, SCHEMAS, type Schema } from '../scim/schemas.ts'

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Most resources in one answer. */
export const MAX_RESULTS = 1000

export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the company, in the Authorization header.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const describeAttribute = (attribute: Attribute): object => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued,
  description: attribute.description,
  required: attribute.required,
  caseExact: attribute.caseExact,
  mutability: attribute.mutability,
  returned: attribute.mutability === 'writeOnly' ? 'never' : 'default',
  uniqueness: attribute.uniqueness,
  ...(attribute.subAttributes.length > 0 && { subAttributes: attribute.subAttributes.map(describeAttribute) }),
})

const describeSchema = (schema: Schema, base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id: schema.id,
  name: schema.name,
  description: schema.description,
  attributes: schema.attributes.map(describeAttribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
})

const describeKind = (kind: ResourceKind, base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: kind.name,
  name: kind.name,
  endpoint: kind.endpoint,
  description: kind.core.description,
  schema: kind.core.id,
  schemaExtensions: kind.extensions.map((extension) => ({ schema: extension.id, required: false })),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${kind.name}` },
})

export const schemasOf = (base: string) => SCHEMAS.map((schema) => describeSchema(schema, base))

export const resourceTypesOf = (base: string) => RESOURCE_KINDS.map((kind) => describeKind(kind, base))

/** A whole list in one answer. */
export const wholeList = <T>(resources: readonly T[]) => ({
  schemas: [LIST_SCHEMA],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})
