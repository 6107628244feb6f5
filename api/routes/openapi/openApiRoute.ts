import { Type } from '@sinclair/typebox'
import { productVersion } from '../../config/packageRoot.js'
import type { Endpoint, ReadEndpoint } from '../../operations/endpoint.js'
import { openApiDocument } from './document.js'

/** The description of all routes, made once, when first asked for. */
export function openApiEndpoint(routes: readonly Endpoint[]): ReadEndpoint {
  let document: object | undefined
  const endpoint: ReadEndpoint = {
    method: 'GET',
    path: '/api/openapi.json',
    unversioned: true,
    role: 'none',
    reach: 'shared',
    summary: 'This document',
    document: Type.Object({ openapi: Type.String(), paths: Type.Object({}) }),
    read: () => {
      document ??= openApiDocument([...routes, endpoint], productVersion)
      return { bare: document }
    },
  }
  return endpoint
}
