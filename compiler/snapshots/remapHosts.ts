import { hostHole, requestHosts, safeHostName } from '../hosts.js'
import type { DeliveryService } from '../model.js'
import type { Asking } from './cdnServers.js'

/** A name under which a cache answers for a service: `rest`, or the cache's host name followed by `rest`. */
export interface RemapHost {
  readonly afterHostName: boolean
  readonly rest: string
}

/** The names routers send clients to, kept apart from the cache's host name so that all caches share them. */
export function remapHosts(asking: Asking, service: DeliveryService, type: string): readonly RemapHost[] {
  return requestHosts(asking.data, service, type, asking).map(({ name }) =>
    name.startsWith(hostHole)
      ? { afterHostName: true, rest: name.slice(hostHole.length) }
      : { afterHostName: false, rest: name },
  )
}

/** They for one cache. */
export function remapsOf(hosts: readonly RemapHost[], hostName: string): string[] {
  const own = safeHostName(hostName)
  return hosts.map(({ afterHostName, rest }) => (afterHostName ? own + rest : rest))
}
