import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Definition, PropertiesSchema } from './kit/definition.ts'
import { scimDefinition } from './scim/scim-definition.ts'
import { scimInDefinition } from './scim-in/scim-in-definition.ts'

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

const fileDefinition: Definition = {
  id: 'file',
  name: 'File',
  kind: 'source',
  description: 'People from a CSV or XLSX file that is uploaded in the console.',
  ingestionType: 'file',
  propertiesSchema: NOTHING_TO_SET,
  supportedFields: userFieldNames,
  // what the file does not say can be set on top of it, and people it does not know can be added beside it
  supportedOperations: ['read', 'create', 'update', 'deactivate'],
}

/** The kinds of connector there are. Their names and descriptions are the fallback for a language that has none of its own. */
export const DEFINITIONS: readonly Definition[] = [manualDefinition, fileDefinition, scimInDefinition, scimDefinition]

/** The definition of this id, or undefined. */
export const definitionOf = (id: string): Definition | undefined => DEFINITIONS.find((definition) => definition.id === id)
