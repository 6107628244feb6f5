import { Type } from '@sinclair/typebox'
import { productVersion } from '../config/packageRoot.js'
import type { Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { globalValues } from '../schema/globals.js'

type Uses = Pick<Parts, 'metrics' | 'readiness' | 'workingSet'>

/** What the process says of itself: for supervisors, load balancers and metrics collectors. */
export const systemEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/livez',
    unversioned: true,
    role: 'none',
    reach: 'shared',
    summary: 'Whether the process runs',
    document: Type.Object({ status: Type.String() }),
    live: async () => ({ bare: { status: 'ok' } }),
  },
  {
    method: 'GET',
    path: '/readyz',
    unversioned: true,
    role: 'none',
    reach: 'shared',
    summary: 'Whether the service can do all of its work: the store, the threads, the templates',
    document: Type.Object({ status: Type.String(), revision: Type.Optional(Type.Integer()) }),
    live: async ({ user }) => {
      const { ready, ...known } = await uses.readiness()
      // Whoever has no session could tell by it that somebody writes: that a mail for a new password was sent, say.
      const details = user.id === 0 ? known : { ...known, revision: uses.workingSet.revision }
      return { bare: { status: ready ? 'ok' : 'unavailable', ...details }, status: ready ? 200 : 503 }
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    unversioned: true,
    role: 'none',
    reach: 'shared',
    summary: 'Prometheus metrics',
    produces: 'text/plain',
    live: async () => ({
      raw: { body: await uses.metrics.registry.metrics(), contentType: uses.metrics.registry.contentType },
    }),
  },
  {
    method: 'GET',
    path: '/ping',
    role: 'none',
    reach: 'shared',
    summary: 'Answers that the service is there',
    document: Type.Object({ ping: Type.String() }),
    read: () => ({ bare: { ping: 'pong' } }),
  },
  {
    method: 'GET',
    path: '/about',
    role: 'any',
    reach: 'shared',
    summary: 'Which version of the service this is',
    document: Type.Object({ name: Type.String(), version: Type.String() }),
    read: () => ({ bare: { name: 'Edgewright', version: productVersion } }),
  },
  {
    method: 'GET',
    path: '/system/info',
    role: 'any',
    reach: 'shared',
    summary: 'The parameters of config file `global`',
    response: Type.Object({ parameters: Type.Record(Type.String(), Type.String()) }),
    read: ({ user }, data) => ({ response: { parameters: globalValues(data, user) } }),
  },
]
