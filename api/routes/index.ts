import type { Endpoint } from '../operations/endpoint.js'
import { endpoints } from './endpoints.js'
import { openApiEndpoint } from './openapi/openApiRoute.js'
import { resources } from './resources.js'

const declared: readonly Endpoint[] = [
  ...endpoints,
  ...resources.flatMap((resource) => resource.routes.map((route) => route(resource))),
]

/** Every route there is, and the document that describes them. */
export const routes: readonly Endpoint[] = [...declared, openApiEndpoint(declared)]
