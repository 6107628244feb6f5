import type { Endpoint } from '../../operations/endpoint.js'
import { dnssecKeyEndpoints } from './keysDnssec.js'
import { sslKeyEndpoints } from './keysSsl.js'
import { uriSigningKeyEndpoints } from './keysUriSigning.js'
import { urlSigKeyEndpoints } from './keysUrlSig.js'

/** Key material. Everything private is sealed in the records and goes out in answers that nobody keeps. */
export const keyEndpoints: readonly Endpoint[] = [
  ...dnssecKeyEndpoints,
  ...sslKeyEndpoints,
  ...uriSigningKeyEndpoints,
  ...urlSigKeyEndpoints,
]
