import { DIALECT_IDS } from '@instep/contract/scim-dialects.ts'
import { CLIENT_AUTHENTICATIONS } from '../kit/client-credentials.ts'
import { type Definition, IN_A_HEADER, type PropertySchema } from '../kit/definition.ts'
import { GROUP_PROPERTIES } from '../kit/group-settings.ts'
import { SCIM_FIELDS } from './scim-document.ts'
import { AUTHENTICATIONS, BY_PROFILE, PROFILE_SETTINGS } from './scim-settings.ts'

const BEARER = { authentication: ['bearer'] }
const BASIC = { authentication: ['basic'] }
const OAUTH = { authentication: ['oauth'] }

/** A setting that the profile decides unless it is set. */
const byProfile = (name: keyof typeof PROFILE_SETTINGS, title: string, description?: string): PropertySchema => ({
  type: 'string',
  title,
  ...(description === undefined ? {} : { description }),
  enum: [BY_PROFILE, ...PROFILE_SETTINGS[name]],
  default: BY_PROFILE,
})

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
    required: ['baseUrl'],
    properties: {
      baseUrl: {
        type: 'string',
        format: 'uri',
        title: 'Base address',
        description: 'What stands in front of /Users, for example https://workplace.example.com/scim/v2.',
        minLength: 1,
      },
      profile: { type: 'string', title: 'Profile', description: 'Presets for known products.', enum: DIALECT_IDS, default: 'generic' },
      authentication: { type: 'string', title: 'Sign-in', enum: AUTHENTICATIONS, default: 'bearer' },
      token: { type: 'string', title: 'Bearer token', secret: true, minLength: 1, pattern: IN_A_HEADER, shownWhen: [BEARER], needed: true },
      userName: { type: 'string', title: 'Name of the account that signs in', shownWhen: [BASIC], needed: true },
      password: { type: 'string', title: 'Password', secret: true, shownWhen: [BASIC], needed: true },
      tokenUrl: { type: 'string', format: 'uri', title: 'Address that gives tokens (OAuth 2)', shownWhen: [OAUTH], needed: true },
      clientId: { type: 'string', title: 'Client ID', shownWhen: [OAUTH], needed: true },
      clientSecret: { type: 'string', title: 'Client secret', secret: true, shownWhen: [OAUTH], needed: true },
      tokenScope: { type: 'string', title: 'Scope of the token', shownWhen: [OAUTH] },
      clientAuthentication: {
        type: 'string',
        title: 'Client secret is sent in',
        enum: CLIENT_AUTHENTICATIONS,
        default: 'header',
        shownWhen: [OAUTH],
      },
      userNameField: byProfile('userNameField', 'User name', 'Which field becomes userName.'),
      matchBy: byProfile('matchBy', 'Find existing accounts by'),
      beforeCreate: byProfile('beforeCreate', 'Before an account is created'),
      updateMethod: byProfile('updateMethod', 'Update with'),
      switching: byProfile('switching', 'Switch accounts off and on'),
      listUpdates: byProfile('listUpdates', 'Change lists of values'),
      operationNames: byProfile('operationNames', 'Names of operations'),
      ifMatch: byProfile('ifMatch', 'Say which version is changed (ETag)'),
      sentAttributes: byProfile('sentAttributes', 'Attributes sent'),
      ...GROUP_PROPERTIES,
      allowHttp: { type: 'boolean', title: 'Allow plain HTTP', description: 'Only for a target inside your own network.', default: false },
    },
  },
  supportedFields: [...SCIM_FIELDS],
  supportedOperations: ['create', 'update', 'deactivate', 'delete', 'list'],
}
