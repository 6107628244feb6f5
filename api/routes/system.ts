import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { unauthorized } from '../config/errors.js'
import { productVersion } from '../config/packageRoot.js'
import { serviceUrl } from '../config/serviceUrl.js'
import type { Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { globalValues } from '../schema/globals.js'

type Uses = Pick<Parts, 'metrics' | 'readiness' | 'settings' | 'workingSet'>

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
    summary: 'Prometheus metrics: whole for METRICS_TOKEN and for users, else without what tells of records',
    produces: 'text/plain',
    fails: [401],
    live: async ({ user, headers }) => {
      const { metricsToken } = uses.settings
      const isUser = user.id !== 0 && (user.scopes === null || user.scopes.includes('read'))
      const isKnown = isUser || (metricsToken !== null && isBearer(metricsToken, headers.authorization))
      if (metricsToken !== null && !isKnown) throw unauthorized('Unauthorized, please show METRICS_TOKEN or log in.')
      const { metrics } = uses
      return { raw: { body: await metrics.text(isKnown), contentType: metrics.registry.contentType } }
    },
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
    read: ({ user }, data) => ({
      response: { parameters: { 'tm.url': serviceUrl(uses.settings), ...globalValues(data, user) } },
    }),
  },
]

/** Whether a request shows this token. It takes as long for every other one. */
function isBearer(token: string, authorization: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))
}
