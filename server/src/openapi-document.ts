import { type Endpoint, problemsOf } from '@instep/contract/endpoint.ts'
import { ENDPOINTS } from '@instep/contract/endpoints.ts'
import words from '@instep/contract/locales/en_GB/problems.json' with { type: 'json' }
import { PROBLEMS, ProblemBody, type ProblemCode } from '@instep/contract/problem.ts'
import { z } from 'zod'

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const parametersIn = (place: 'path' | 'query', schema: z.ZodType) => {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as { properties?: Record<string, object>; required?: string[] }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }))
}

const bodyOf = ({ bodyKind, body }: Endpoint) => {
  if (bodyKind === 'none') return {}
  const file = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }
  const content =
    bodyKind === 'multipart' ? { 'multipart/form-data': { schema: file } } : { 'application/json': { schema: jsonSchema(body, 'input') } }
  return { requestBody: { required: true, content } }
}

const answerOf = ({ status, responseKind, fileTypes, response, summary }: Endpoint) => {
  if (responseKind === 'none') return { [status]: { description: summary } }
  if (responseKind === 'file') {
    const content = fileTypes.map((type) => [
      type,
      { schema: /^text\/|\/json$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' } },
    ])
    return { [status]: { description: summary, content: Object.fromEntries(content) } }
  }
  const type = responseKind === 'events' ? 'text/event-stream' : 'application/json'
  return { [status]: { description: summary, content: { [type]: { schema: jsonSchema(response, 'output') } } } }
}

/** Problems by status, so that each status names the codes it may carry. */
const problemAnswers = (codes: readonly ProblemCode[]) => {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${words[code]}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

const operationOf = (endpoint: Endpoint) => ({
  operationId: endpoint.id,
  tags: [endpoint.id.split('.')[0]],
  summary: endpoint.summary,
  description: [
    `Roles: ${endpoint.who.roles.join(', ')}.`,
    endpoint.who.bit ? `Permission: ${endpoint.who.bit}.` : '',
    `Scope: ${endpoint.who.basic ? 'api or api.basic' : 'api'}.`,
  ]
    .filter(Boolean)
    .join(' '),
  security: [{ bearer: [] }],
  parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
  ...bodyOf(endpoint),
  responses: {
    ...answerOf(endpoint),
    ...problemAnswers(problemsOf(endpoint)),
  },
})

const document = (): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Instep',
      version: '1',
      description: 'Keeps workplace accounts in step with HR. Every answer carries `x-correlation-id`.',
    },
    servers: [{ url: '/v1' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: jsonSchema(ProblemBody, 'output') },
    },
  }
}

let made: object | undefined

/** The OpenAPI 3.1 document of the contract table; made once, for it takes as long as starting everything else that serves. Not to be changed. */
export const openApiDocument = (): object => {
  made ??= document()
  return made
}
