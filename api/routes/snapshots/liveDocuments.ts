import type { Endpoint } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { liveAnswer } from '../../operations/snapshots/results.js'
import { crConfigShape, monitoringShape, routingShape } from '../../operations/snapshots/shapes.js'

type Uses = Pick<Parts, 'artifacts' | 'data' | 'reading' | 'settings' | 'versions'>

/** The documents that routers and monitors run on, as the records are now. */
export const liveDocuments = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/cdns/:name/configs/monitoring',
    role: 'any',
    reach: 'cdn',
    summary: 'What the monitors of a CDN poll and by which limits, live',
    response: monitoringShape,
    keeps: (input) => liveAnswer('monitoring', input, uses),
  },
  {
    method: 'GET',
    path: '/cdns/:name/configs/routing',
    role: 'any',
    reach: 'cdn',
    summary: 'The routing configuration of a CDN, live',
    response: routingShape,
    keeps: (input) => liveAnswer('routing', input, uses),
  },
  {
    method: 'GET',
    path: '/health/:name',
    unversioned: true,
    role: 'any',
    reach: 'cdn',
    summary: 'The monitoring configuration without an envelope, for older monitors',
    document: monitoringShape,
    keeps: (input) => liveAnswer('monitoring', input, uses, { envelope: false }),
  },
  {
    method: 'GET',
    path: '/cdns/:name/snapshot/new',
    role: 'any',
    reach: 'cdn',
    summary: 'The document as it would be if it were frozen now',
    response: crConfigShape,
    keeps: (input) => liveAnswer('CRConfig', input, uses),
  },
]
