import type { Endpoint } from '../../operations/endpoint.js'
import { Components } from './components.js'
import { operation, sharedHeaders, sharedParameters, sharedResponses } from './operation.js'

type Json = Record<string, unknown>

const about = `The API on which a CDN is operated.

Every path is served under \`/api/1.1\`, \`/api/1.2\` and \`/api/1.3\`; \`.json\` may follow any of them. This document
describes 1.3, which has native JSON types; 1.1 and 1.2 show the same records with numbers as text and some fields
less. Bodies are read alike in all versions: numbers and booleans may be text, a record may be named instead of numbered.`

/**
 * The OpenAPI 3.1 document of the routes, derived from their declarations. Pure: the same routes give the same bytes.
 */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = `${endpoint.unversioned ? '' : '/api/1.3'}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, components) }
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
      parameters: sharedParameters,
      responses: sharedResponses,
      headers: sharedHeaders,
      schemas: {
        Alert: alert,
        Alerts: alerts,
        Change: change,
        Changes: changes,
        Refused: refused,
        ...components.schemas,
      },
    },
  }
}

const alert = {
  type: 'object',
  required: ['level', 'text'],
  properties: { level: { type: 'string', enum: ['success', 'info', 'warning', 'error'] }, text: { type: 'string' } },
}

const alerts = {
  type: 'array',
  description: 'What whoever asked should know.',
  items: { $ref: '#/components/schemas/Alert' },
}

const change = {
  type: 'object',
  required: ['kind', 'id', 'action'],
  properties: {
    kind: { type: 'string' },
    id: { type: 'integer' },
    action: { type: 'string', enum: ['create', 'update', 'delete'] },
  },
}

const changes = {
  type: 'array',
  description: 'Of a dry run: the records it would have changed.',
  items: { $ref: '#/components/schemas/Change' },
}

const refused = {
  type: 'object',
  required: ['alerts'],
  properties: { alerts: { $ref: '#/components/schemas/Alerts' } },
}
