import type { Endpoint } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { dnssecKeyEndpoints } from './keysDnssec.js'
import { sslKeyEndpoints } from './keysSsl.js'
import { uriSigningKeyEndpoints } from './keysUriSigning.js'
import { urlSigKeyEndpoints } from './keysUrlSig.js'

/** Key material. Everything private is sealed in the records and goes out in answers that nobody keeps. */
type Uses = Pick<Parts, 'data' | 'dnssec' | 'failed' | 'makeRsa' | 'now' | 'vault'>

export const keyEndpoints = (uses: Uses): readonly Endpoint[] => [
  ...dnssecKeyEndpoints(uses),
  ...sslKeyEndpoints(uses),
  ...uriSigningKeyEndpoints(uses),
  ...urlSigKeyEndpoints(uses),
]
