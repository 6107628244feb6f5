import type { Endpoint } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { openApiEndpoint } from './openapi/endpoint.js'
import { resources } from './resources/index.js'

const declared: readonly Endpoint[] = [
  ...endpoints,
  ...resources.flatMap((resource) => resource.routes.map((route) => route(resource))),
]

/** Every route there is, and the document that describes them. */
export const routes: readonly Endpoint[] = [...declared, openApiEndpoint(declared)]
