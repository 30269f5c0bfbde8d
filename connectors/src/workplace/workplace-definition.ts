import type { Definition } from '../kit/definition.ts'
import { scimDefinition } from '../scim/scim-definition.ts'

const { propertiesSchema } = scimDefinition

/** The `workplace` target: settings of a SCIM target, with an address in front of both of its interfaces. */
export const workplaceDefinition: Definition = {
  ...scimDefinition,
  id: 'workplace',
  name: 'Workplace',
  description: 'A workplace platform: accounts and groups over SCIM 2.0, posts, messages and shift posts over its own interface.',
  propertiesSchema: {
    ...propertiesSchema,
    properties: {
      ...propertiesSchema.properties,
      baseUrl: {
        type: 'string',
        format: 'uri',
        title: 'Base address',
        description: 'What stands in front of /scim/v2 and /api/v1, for example https://workplace.example.com/acme.',
        minLength: 1,
      },
    },
  },
}
