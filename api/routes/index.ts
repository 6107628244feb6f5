import type { Endpoint } from '../operations/endpoint.js'
import { withPatch } from './crud/patching.js'
import type { RouteParts } from './endpoints.js'
import { endpoints } from './endpoints.js'
import { openApiEndpoint } from './openapi/openApiRoute.js'
import { resources } from './resources.js'

/** Every route there is, and the document that describes them. */
export function createRoutes(parts: RouteParts): readonly Endpoint[] {
  const declared = [
    ...endpoints(parts),
    ...resources.flatMap((resource) => resource.routes.map((route) => route(resource))),
  ].flatMap(withPatch)
  return [...declared, openApiEndpoint(declared)]
}
