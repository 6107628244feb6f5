import { Ajv2020 } from 'ajv/dist/2020.js'
import { Routers } from '../api/middleware/routers.js'
import type { Method } from '../api/operations/endpoint.js'
import { openApiDocument } from '../api/routes/openapi/document.js'
import { routes } from './routes.js'

type Media = Record<string, { schema: object }>

const document = openApiDocument(routes, '1.0.0') as {
  paths: Record<string, Record<string, { responses: { 200: { content: Media } } }>>
}
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(document, 'openapi')
const routers = new Routers(routes)

/** How an answer differs from what the OpenAPI document says of its route, and whether the document says anything. */
export function undocumented(method: string, path: string, body: unknown): string[] {
  const found = routers.find(method as Method, path.split('?')[0]!)
  if (!found) return [`no route for ${method} ${path}`]
  const { endpoint } = found
  const place = `${endpoint.unversioned ? '' : '/api/1.3'}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
  const pointer = ['paths', place, endpoint.method.toLowerCase(), 'responses', '200', 'content']
  if (endpoint.produces) return []
  const saysNothing = !endpoint.response && !endpoint.document
  if (saysNothing && (typeof body !== 'object' || body === null || Object.keys(body).some((key) => key !== 'alerts'))) {
    return ['the document says nothing of its response']
  }
  const at = [...pointer, 'application/json', 'schema']
    .map((part) => part.replaceAll('/', '~1'))
    .map(encodeURIComponent)
  const validate = ajv.compile({ $ref: `openapi#/${at.join('/')}` })
  if (validate(body)) return []
  return (validate.errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .slice(0, 6)
}
