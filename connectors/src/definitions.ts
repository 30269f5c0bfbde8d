import { userFieldNames } from '@instep/contract/user-fields.ts'
import { fileDefinition } from './file/file-definition.ts'
import type { Definition, PropertiesSchema } from './kit/definition.ts'
import { ldapDefinition } from './ldap/ldap-definition.ts'
import { manualTargetDefinition } from './manual-target/manual-definition.ts'
import { restDefinition } from './rest/rest-definition.ts'
import { scimDefinition } from './scim/scim-definition.ts'
import { scimInDefinition } from './scim-in/scim-in-definition.ts'
import { webhookDefinition } from './webhook/webhook-definition.ts'
import { workplaceDefinition } from './workplace/workplace-definition.ts'

const NOTHING_TO_SET: PropertiesSchema = { type: 'object', additionalProperties: false, required: [], properties: {} }

const manualDefinition: Definition = {
  id: 'manual',
  name: 'Manual',
  kind: 'source',
  description: 'People who are added and edited in the console.',
  ingestionType: 'manual',
  propertiesSchema: NOTHING_TO_SET,
  supportedFields: userFieldNames,
  supportedOperations: ['create', 'update', 'deactivate'],
}

/** The kinds of connector there are. Their names and descriptions are the fallback for a language that has none of its own. */
export const DEFINITIONS: readonly Definition[] = [
  manualDefinition,
  fileDefinition,
  scimInDefinition,
  restDefinition,
  ldapDefinition,
  scimDefinition,
  webhookDefinition,
  manualTargetDefinition,
  workplaceDefinition,
]

/** The definition of this id, or undefined. */
export const definitionOf = (id: string): Definition | undefined => DEFINITIONS.find((definition) => definition.id === id)
