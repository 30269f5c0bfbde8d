import type { Definition } from '../kit/definition.ts'
import { PERSON_FIELDS } from '../kit/person-document.ts'

/** The `manual-target` target: tasks for people, where a system has no interface. */
export const manualTargetDefinition: Definition = {
  id: 'manual-target',
  name: 'By hand',
  kind: 'target',
  description: 'A system without an interface: people carry out what changes, and tick it off.',
  ingestionType: 'target',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: [],
    properties: {
      instructions: {
        type: 'string',
        title: 'Instructions',
        description: 'How it is done there; shown with every task.',
        multiline: true,
      },
    },
  },
  supportedFields: [...PERSON_FIELDS],
  supportedOperations: ['create', 'update', 'deactivate', 'delete'],
}
