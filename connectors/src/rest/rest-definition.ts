import { userFieldNames } from '@instep/contract/user-fields.ts'
import { CLIENT_AUTHENTICATIONS } from '../kit/client-credentials.ts'
import { type Definition, IN_A_HEADER } from '../kit/definition.ts'
import { AUTHENTICATIONS, REST_BOUNDS as bounds, CHANGED_FORMATS, PAGINGS } from './rest-settings.ts'

const SIGNED = { authentication: AUTHENTICATIONS.filter((way) => way !== 'none') }

const number = (name: keyof typeof bounds) => ({
  type: 'integer' as const,
  minimum: bounds[name].min,
  maximum: bounds[name].max,
  default: bounds[name].fallback,
})

/** The `rest` source; `createRestSource` takes what this schema describes. The first value of each list is the default. */
export const restDefinition: Definition = {
  id: 'rest',
  name: 'REST API',
  kind: 'source',
  description: 'People from an HR system that answers with pages of JSON over HTTPS.',
  ingestionType: 'rest',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: { type: 'string', format: 'uri', title: 'Address of the list of people', minLength: 1 },
      recordsPath: {
        type: 'string',
        title: 'Path to the records',
        description: 'For example data.people; empty where the answer is the list.',
      },
      authentication: { type: 'string', title: 'Authentication', enum: AUTHENTICATIONS, default: 'none' },
      userName: { type: 'string', title: 'User name' },
      password: { type: 'string', title: 'Password', secret: true },
      bearerToken: { type: 'string', title: 'Bearer token', secret: true, pattern: IN_A_HEADER },
      apiKey: { type: 'string', title: 'API key', secret: true },
      apiKeyHeader: { type: 'string', title: 'Header of the API key', default: 'X-API-Key' },
      apiKeyParameter: { type: 'string', title: 'Parameter of the API key', description: 'Only where it is taken in no header.' },
      tokenUrl: { type: 'string', format: 'uri', title: 'Address that gives tokens (OAuth 2)' },
      clientId: { type: 'string', title: 'Client ID' },
      clientSecret: { type: 'string', title: 'Client secret', secret: true },
      tokenScope: { type: 'string', title: 'Scope of the token' },
      clientAuthentication: { type: 'string', title: 'Client secret is sent in', enum: CLIENT_AUTHENTICATIONS, default: 'header' },
      credentialsExpireOn: { type: 'string', format: 'date', title: 'Credentials expire on', shownWhen: [SIGNED] },
      paging: { type: 'string', title: 'Pages', enum: PAGINGS, default: 'none' },
      pageParameter: { type: 'string', title: 'Parameter of the page', description: 'Name of the page number, offset or cursor.' },
      firstPage: { ...number('firstPage'), title: 'Number of the first page' },
      sizeParameter: { type: 'string', title: 'Parameter of the page size' },
      pageSize: { ...number('pageSize'), title: 'Records a page' },
      nextPath: { type: 'string', title: 'Path to the next cursor or address' },
      totalPath: { type: 'string', title: 'Path to the number of all records', description: 'What is fetched is then checked against it.' },
      recordUrl: {
        type: 'string',
        title: 'Address of one person',
        description: 'With {id} for the external id, at the same host. Empty: one person cannot be asked for.',
      },
      recordPath: { type: 'string', title: 'Path to that person', description: 'Empty where the answer is the person, or a list of one.' },
      mostPages: { ...number('mostPages'), title: 'Most pages' },
      changedParameter: { type: 'string', title: 'Parameter “changed since”', description: 'Empty: everybody is fetched each time.' },
      changedFormat: { type: 'string', title: 'Format of “changed since”', enum: CHANGED_FORMATS, default: 'iso' },
      overlapMinutes: { ...number('overlapMinutes'), title: 'Minutes asked for again' },
      fullEveryDays: {
        ...number('fullEveryDays'),
        title: 'Days between full fetches',
        description: 'Changes do not show who was deleted.',
      },
      certificateAuthority: { type: 'string', title: 'Certificate of an own authority (PEM)' },
      allowHttp: { type: 'boolean', title: 'Allow plain HTTP', description: 'Only for a source inside your own network.', default: false },
    },
  },
  supportedFields: userFieldNames,
  // what the source does not say can be set on top of it
  supportedOperations: ['read', 'create', 'update', 'deactivate'],
}
