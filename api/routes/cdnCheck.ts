import { Type } from '@sinclair/typebox'
import { checkCdn } from '../operations/check/cdnCheck.js'
import { findingShape } from '../operations/check/finding.js'
import type { Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { cdnNamed } from '../operations/snapshots/find.js'

type Uses = Pick<Parts, 'artifacts' | 'data' | 'now' | 'settings' | 'vault'>

export const cdnCheckEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/cdns/:name/check',
    role: 'oper',
    reach: 'cdn',
    summary: 'Everything that would keep a CDN from serving, each with what to do; the same as `edgewright doctor`',
    response: Type.Object({ serves: Type.Boolean(), findings: Type.Array(findingShape) }),
    // By the clock: certificates and keys run out.
    live: async ({ params }) => {
      const findings = await checkCdn(cdnNamed(uses.data, params.name), uses)
      return { response: { serves: findings.every(({ level }) => level !== 'error'), findings } }
    },
  },
]
