import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../operations/endpoint.js'
import { plainSchema } from './plainSchema.js'

type Json = Record<string, unknown>

const about = `The API on which a CDN is operated.

Every path is served under \`/api/1.1\`, \`/api/1.2\` and \`/api/1.3\`; \`.json\` may follow any of them. This document
describes 1.3, which has native JSON types; 1.1 and 1.2 show the same records with numbers as text and some fields
less. Bodies are read alike in all versions: numbers and booleans may be text, a record may be named instead of numbered.`

/**
 * The OpenAPI 3.1 document of the routes, derived from their declarations. Pure: the same routes give the same bytes.
 */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = `${endpoint.unversioned ? '' : '/api/1.3'}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Edgewright',
      version,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'mojolicious', description: 'from POST /api/1.3/user/login' },
        token: { type: 'http', scheme: 'bearer', description: 'an API token, from POST /api/1.3/tokens' },
      },
      schemas: { Alerts: alerts },
      responses: {
        Refused: { description: 'Refused: one alert for each thing that is wrong', content: json(envelope(undefined)) },
      },
    },
  }
}

const alerts = {
  type: 'array',
  items: {
    type: 'object',
    required: ['level', 'text'],
    properties: { level: { enum: ['success', 'info', 'warning', 'error'] }, text: { type: 'string' } },
  },
}

function operation(endpoint: Endpoint): Json {
  const { method, path, role, summary } = endpoint
  return {
    operationId: [method.toLowerCase(), ...path.split(/[/:.]+/).filter((part) => part !== '')].join('_'),
    summary,
    tags: [path.split('/')[1]],
    'x-least-role': role,
    ...(role === 'none' ? { security: [] } : {}),
    parameters: parameters(endpoint),
    ...requestBody(endpoint),
    responses: { 200: success(endpoint), default: { $ref: '#/components/responses/Refused' } },
  }
}

function parameters({ method, path, query = {}, ...endpoint }: Endpoint): Json[] {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const text = { type: 'string' }
  return [
    ...named.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema: text })),
    ...('write' in endpoint && !('dryRun' in query)
      ? [{ name: 'dryRun', in: 'query', description: 'true: answer, but change nothing', schema: text }]
      : []),
    ...(method === 'PUT' || method === 'DELETE'
      ? [{ name: 'If-Match', in: 'header', description: 'the ETag of what is to be changed', schema: text }]
      : []),
  ]
}

function requestBody(endpoint: Endpoint): Json {
  if (endpoint.bodyStream)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string' } } } } }
  const schema = endpoint.body ?? endpoint.bodyDocument
  if (!schema) return {}
  return { requestBody: { required: true, content: json(plainSchema(schema)) } }
}

function success({ response, document, produces }: Endpoint): Json {
  const content = produces
    ? { [produces]: { schema: { type: 'string' } } }
    : json(document ? plainSchema(document) : envelope(response))
  return { description: 'Done', content }
}

const json = (schema: object) => ({ 'application/json': { schema } })

function envelope(response: TSchema | undefined): Json {
  return {
    type: 'object',
    ...(response ? { required: ['response'] } : {}),
    properties: {
      ...(response ? { response: plainSchema(response) } : {}),
      alerts: { $ref: '#/components/schemas/Alerts' },
    },
  }
}
