import type { DeliveryService } from '../../../compiler/data/model.js'
import type { States } from './monitorDocuments.js'

/** Whether a delivery service is served, and where its clients are sent when it is not. */
export interface State {
  readonly enabled: boolean
  readonly failover: {
    /** Whether clients are sent elsewhere now, since the monitor calls the service unavailable. */
    readonly enabled: boolean
    /** Whether a limit is set beyond which they would be. */
    readonly configured: boolean
    /** Cache groups in which the service is unavailable. */
    readonly locations: readonly string[]
    readonly destination: { readonly type: 'DNS' | 'HTTP'; readonly location: string } | null
    readonly limits?: readonly { readonly metric: 'total_kbps' | 'total_tps'; readonly limit: number }[]
  }
}

type Service = Pick<
  DeliveryService,
  'xmlId' | 'active' | 'globalMaxMbps' | 'globalMaxTps' | 'dnsBypassIp' | 'httpBypassFqdn'
>

/** The state of a service of a type, given what a monitor said; without that, nothing is claimed (clients.md §8). */
export function state(service: Service, type: string, states: States | null): State {
  if (states === null)
    return { enabled: false, failover: { enabled: false, configured: false, locations: [], destination: null } }
  const seen = states.services.get(service.xmlId)
  const down = seen !== undefined && !seen.isAvailable
  const limits = limitsOf(service)
  return {
    enabled: service.active,
    failover: {
      enabled: down,
      configured: limits.length > 0,
      locations: down ? seen.disabledLocations : [],
      destination: destinationOf(service, type),
      ...(limits.length > 0 ? { limits } : {}),
    },
  }
}

function limitsOf({ globalMaxMbps, globalMaxTps }: Service) {
  const kbps = globalMaxMbps ? [{ metric: 'total_kbps' as const, limit: globalMaxMbps * 1000 }] : []
  const tps = globalMaxTps ? [{ metric: 'total_tps' as const, limit: globalMaxTps }] : []
  return [...kbps, ...tps]
}

function destinationOf({ dnsBypassIp, httpBypassFqdn }: Service, type: string): State['failover']['destination'] {
  if (type.startsWith('DNS') && dnsBypassIp) return { type: 'DNS', location: dnsBypassIp }
  if (type.startsWith('HTTP') && httpBypassFqdn) return { type: 'HTTP', location: `http://${httpBypassFqdn}` }
  return null
}
