import type { Definition } from '../kit/definition.ts'
import { PERSON_FIELDS } from '../kit/person-document.ts'

/** The `webhook` target; `createWebhookTarget` takes what this schema describes. */
export const webhookDefinition: Definition = {
  id: 'webhook',
  name: 'Webhook',
  kind: 'target',
  description: 'A program of your own that is told of every account over HTTPS, signed.',
  ingestionType: 'target',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['endpoint', 'secret'],
    properties: {
      endpoint: { type: 'string', format: 'uri', title: 'Address', description: 'Where events are posted to, over HTTPS.', minLength: 1 },
      secret: {
        type: 'string',
        title: 'Signing secret',
        description: 'whsec_ and 24 to 64 bytes in base64. The receiver checks signatures with it.',
        secret: true,
        minLength: 30,
      },
      previousSecret: {
        type: 'string',
        title: 'Previous signing secret',
        description: 'Signs beside the new one, for as long as the receiver still knows only this one.',
        secret: true,
      },
      previousSecretUntil: {
        type: 'string',
        format: 'date',
        title: 'Previous secret until',
        description: 'The last day, in UTC, on which the previous secret signs too.',
      },
      allowHttp: {
        type: 'boolean',
        title: 'Allow plain HTTP',
        description: 'Only for a receiver inside your own network.',
        default: false,
      },
    },
  },
  supportedFields: [...PERSON_FIELDS],
  supportedOperations: ['create', 'update', 'deactivate', 'delete'],
}
