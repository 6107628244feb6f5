import type { Version } from '../config/apiVersions.js'
import type { Endpoint } from '../operations/endpoint.js'

/** Which route a request leads to. */
export interface Found {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
  readonly version: Version
}
