import type { Definition } from '../kit/definition.ts'
import { GROUP_PROPERTIES } from '../kit/group-settings.ts'
import { SCIM_FIELDS } from './scim-document.ts'
import { LEAVERS, MATCH_KEYS, UPDATE_METHODS, USER_NAME_FIELDS } from './scim-settings.ts'

/** The `scim` target; `createScimTarget` takes what this schema describes. The first value of each list is the default. */
export const scimDefinition: Definition = {
  id: 'scim',
  name: 'SCIM 2.0',
  kind: 'target',
  description: 'Any workplace or directory that accepts people over SCIM 2.0.',
  ingestionType: 'target',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['baseUrl', 'token'],
    properties: {
      baseUrl: {
        type: 'string',
        format: 'uri',
        title: 'Base address',
        description: 'What stands in front of /Users, for example https://workplace.example.com/scim/v2.',
        minLength: 1,
      },
      token: { type: 'string', title: 'Bearer token', secret: true, minLength: 1 },
      userNameField: {
        type: 'string',
        title: 'User name',
        description: 'Which field becomes userName.',
        enum: USER_NAME_FIELDS,
        default: 'workEmail',
      },
      matchBy: {
        type: 'string',
        title: 'Find existing accounts by',
        enum: MATCH_KEYS,
        default: 'userName',
      },
      updateMethod: { type: 'string', title: 'Update with', enum: UPDATE_METHODS, default: 'PATCH' },
      leaver: {
        type: 'string',
        title: 'Accounts of leavers',
        description: 'disable switches them off, delete removes them.',
        enum: LEAVERS,
        default: 'disable',
      },
      ...GROUP_PROPERTIES,
      allowHttp: { type: 'boolean', title: 'Allow plain HTTP', description: 'Only for a target inside your own network.', default: false },
    },
  },
  supportedFields: [...SCIM_FIELDS],
  supportedOperations: ['create', 'update', 'deactivate', 'delete', 'list'],
}
