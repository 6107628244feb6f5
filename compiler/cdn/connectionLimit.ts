import type { CompileContext } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import type { DeliveryService, Server } from '../data/model.js'
import { cacheServerVersion } from './parameters.js'
import { isCache, isMid, serviceRef, typeName } from './services.js'

/**
 * How many connections to its origin one cache may have for a service: its limit shared evenly among the caches in
 * use of the tier that talks to the origin (config-files.md §6.8). `null` when there is no limit or nobody to share it.
 */
export function connectionLimit(
  { data, warn }: Pick<CompileContext, 'data' | 'warn'>,
  service: DeliveryService,
  tier: 'edge' | 'mid',
): { connections: number; perHost: boolean } | null {
  const max = service.maxOriginConnections ?? 0
  if (max <= 0) return null
  const edges = serversInUse(data, data.ids('deliveryServiceServers', 'deliveryServices', service.id)).filter(
    (server) => isCache(typeName(data, server.typeId)) && server.cdnId === service.cdnId,
  )
  const peers = tier === 'edge' ? edges : midsAbove(data, edges)
  if (peers.length === 0) return null
  const versions = new Set(peers.map(({ profileId }) => cacheServerVersion(data, profileId)))
  const perHost = [...versions].every((version) => version >= 9)
  if (!perHost && [...versions].some((version) => version >= 9)) {
    const text = `caches of ${service.xmlId} have versions that set the limit of origin connections differently; it is left out`
    warn('unsupported-by-version', serviceRef(service), text)
    return null
  }
  return { connections: Math.max(1, Math.round(max / peers.length)), perHost }
}

function serversInUse(data: Reader, ids: readonly number[]): Server[] {
  return ids.flatMap((id) => {
    const server = data.get('servers', id)
    const status = server && data.get('statuses', server.statusId)?.name
    return server && (status === 'ONLINE' || status === 'REPORTED') ? [server] : []
  })
}

/** The mids in the parent groups of these edges. */
function midsAbove(data: Reader, edges: readonly Server[]): Server[] {
  const groups = new Set(
    edges.flatMap(({ cachegroupId }) => {
      const group = data.get('cachegroups', cachegroupId)
      return [group?.parentCachegroupId, group?.secondaryParentCachegroupId].filter((id) => id != null)
    }),
  )
  const ids = [...groups].flatMap((group) => data.ids('servers', 'cachegroupId', group))
  const cdns = new Set(edges.map(({ cdnId }) => cdnId))
  return serversInUse(data, ids).filter((server) => cdns.has(server.cdnId) && isMid(typeName(data, server.typeId)))
}
