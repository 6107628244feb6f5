import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../operations/endpoint.js'
import { bodySchema, isOfOneState } from '../../operations/endpoint.js'
import type { QueryParameters } from '../../operations/queryParameters.js'
import { dryRunQuery, listQuery, waitQuery } from '../../operations/queryParameters.js'
import type { Components } from './components.js'
import { failures, failuresOf } from './failures.js'
import { plainSchema } from './plainSchema.js'

type Json = Record<string, unknown>

/** Parameters that many routes have in common, by the name they are referred to. */
const shared: QueryParameters = { ...listQuery, ...waitQuery, ...dryRunQuery }

const text = { type: 'string' }
/** Bytes as they are. */
const binary = { type: 'string', format: 'binary' }

export const sharedParameters: Json = {
  ...Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, inQuery(name, schema)])),
  ifMatch: { name: 'If-Match', in: 'header', description: 'The ETag of what is to be changed.', schema: text },
  ifNoneMatch: { name: 'If-None-Match', in: 'header', description: 'The ETag of the answer one has.', schema: text },
}

/** The responses that many routes have in common, by the name they are referred to. */
export const sharedResponses: Json = {
  NotModified: { description: 'The answer is the one whose ETag was sent.' },
  ...Object.fromEntries(
    Object.values(failures).map(([name, description]) => [
      name,
      { description, content: json({ $ref: '#/components/schemas/Refused' }) },
    ]),
  ),
}

/** The headers of answers that all routes have in common, by the name they are referred to. */
export const sharedHeaders: Json = {
  Ignored: {
    description: 'Fields of the body that nothing reads, and query parameters behind a `?`, between commas.',
    schema: text,
  },
}

/** What a route is, takes and answers. */
export function operation(endpoint: Endpoint, components: Components): Json {
  const { method, path, role, summary } = endpoint
  const operationId = [method.toLowerCase(), ...path.split(/[/:.]+/).filter((part) => part !== '')].join('_')
  return {
    operationId,
    summary,
    tags: [path.split('/')[1]],
    'x-least-role': role,
    ...(role === 'none' ? { security: [] } : {}),
    parameters: parameters(endpoint),
    ...requestBody(endpoint, operationId, components),
    responses: responses(endpoint, operationId, components),
  }
}

function parameters(endpoint: Endpoint): Json[] {
  const { path, query = {} } = endpoint
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const all: QueryParameters = {
    ...query,
    ...(isRehearsable(endpoint) ? dryRunQuery : {}),
    ...(isKept(endpoint) ? waitQuery : {}),
  }
  return [
    ...named.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(all).map(([name, schema]) => (shared[name] === schema ? parameter(name) : inQuery(name, schema))),
    ...(isKept(endpoint) ? [parameter('ifNoneMatch')] : []),
    ...(isOfOneState(endpoint) ? [parameter('ifMatch')] : []),
  ]
}

/** Its answers are kept until they change, so that they can be named and waited for. */
const isKept = (endpoint: Endpoint): boolean => 'read' in endpoint || 'keeps' in endpoint

function requestBody(endpoint: Endpoint, operationId: string, components: Components): Json {
  if (endpoint.body === 'bytes')
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: binary } } } }
  const schema = bodySchema(endpoint)
  if (!schema) return {}
  const shown =
    schema.type === 'object' ? components.shown(schema, `${typeName(operationId)}Body`) : components.shown(schema)
  const form = endpoint.form ? { 'application/x-www-form-urlencoded': { schema: shown } } : {}
  return { requestBody: { required: true, content: { ...json(shown), ...form } } }
}

function responses(endpoint: Endpoint, operationId: string, components: Components): Json {
  const failing = failuresOf(endpoint).map((status) => [status, response(failures[status]![0])])
  return {
    ...(endpoint.fails?.includes(501) ? {} : { 200: success(endpoint, operationId, components) }),
    ...(endpoint.redirects ? { 302: { description: 'Done; Location says where it is seen.' } } : {}),
    ...(isKept(endpoint) ? { 304: response('NotModified') } : {}),
    ...Object.fromEntries(failing),
  }
}

function success(endpoint: Endpoint, operationId: string, components: Components): Json {
  const { response, document, produces } = endpoint
  const texts = produces ? { [produces]: { schema: text } } : {}
  const enveloped =
    produces && !response ? {} : json(envelope(endpoint, `${typeName(operationId)}Response`, components))
  return {
    description: 'Done.',
    headers: { 'X-Edgewright-Ignored': { $ref: '#/components/headers/Ignored' } },
    content: document ? json(components.shown(document)) : { ...texts, ...enveloped },
  }
}

function envelope(endpoint: Endpoint, name: string, components: Components): Json {
  const { response } = endpoint
  return {
    type: 'object',
    ...(response ? { required: ['response'] } : {}),
    properties: {
      ...(response ? { response: components.shown(response, response.type === 'object' ? name : undefined) } : {}),
      alerts: { $ref: '#/components/schemas/Alerts' },
      ...(isRehearsable(endpoint) ? { changes: { $ref: '#/components/schemas/Changes' } } : {}),
    },
  }
}

/** With `?dryRun=true` it tells what it would change. */
const isRehearsable = (endpoint: Endpoint): boolean => 'write' in endpoint || endpoint.query?.dryRun !== undefined

/** `get_servers_id` as the name of a type: `GetServersId`. */
const typeName = (operationId: string): string =>
  operationId.replace(/(?:^|[_-]+)(\w)/g, (_, letter: string) => letter.toUpperCase())

function inQuery(name: string, schema: TSchema): Json {
  const { description, ...rest } = plainSchema(schema)
  return { name, in: 'query', description, schema: rest }
}

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const response = (name: string) => ({ $ref: `#/components/responses/${name}` })

function json(schema: object): Json {
  return { 'application/json': { schema } }
}
