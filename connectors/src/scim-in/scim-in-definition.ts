import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Definition } from '../kit/definition.ts'

/** The `scim-in` source: people whom an identity system or HR system pushes to the connector's own SCIM 2.0 address. Its tokens are no settings. */
export const scimInDefinition: Definition = {
  id: 'scim-in',
  name: 'SCIM 2.0 in',
  kind: 'source',
  description: 'People whom an identity system such as Entra ID or Okta pushes over SCIM 2.0.',
  ingestionType: 'scim',
  propertiesSchema: { type: 'object', additionalProperties: false, required: [], properties: {} },
  supportedFields: userFieldNames,
  supportedOperations: ['read', 'create', 'update', 'deactivate'],
}
