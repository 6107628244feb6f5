import { originOf } from '../cdn/hosts.js'
import { assignedInCdn, definePerService, isMid, typeName } from '../cdn/services.js'
import type { CompileContext } from '../core/defineFile.js'
import { defineConfigFile, FileMissing } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'

/**
 * What must not be cached (config-files.md §6.5). Edges of a profile share the file, so it is about the services
 * of all of them; a mid's is about its CDN's.
 */
export default defineConfigFile({
  name: 'cache.config',
  views: {
    profiles: (context) => neverCached(context, servicesOfProfile(context)),
    servers: ({ data, subject, warn }) => {
      if (!isMid(typeName(data, subject.typeId))) throw new FileMissing("cache.config of an edge is its profile's")
      return neverCachedInCdn({ data, warn }, subject.cdnId)
    },
  },
  listedScope: (serverType) => (isMid(serverType) ? 'servers' : 'profiles'),
})

function servicesOfProfile({ data, subject }: CompileContext<'profiles'>): readonly number[] {
  const servers = data.ids('servers', 'profileId', subject.id)
  const ids = new Set(servers.flatMap((id) => data.get('deliveryServiceServers', id)?.deliveryServices ?? []))
  return [...ids].sort((a, b) => a - b)
}

const neverCachedInCdn = defineFragment('cache.config.mids', (making, cdnId: number) =>
  neverCached(making, assignedInCdn(making, cdnId)),
)

function neverCached(asking: Asking, ids: readonly number[]) {
  const rules = rulesOf(asking, ids, {})
  const byText = new Map<string, Rule>()
  for (const rule of rules) byText.set(`${rule.host} ${rule.port} ${rule.scheme}`, rule)
  return { rules: [...byText.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule) }
}

interface Rule {
  readonly host: string
  /** Only when the origin names one. */
  readonly port: number | null
  /** The origin's: requests are matched after they were mapped to it. */
  readonly scheme: string
}

const rulesOf = definePerService('cache.config', ({ data, warn }, id): Rule | null => {
  const service = data.get('deliveryServices', id)
  if (!service || typeName(data, service.typeId) !== 'HTTP_NO_CACHE') return null
  const origin = originOf(service, { warn })
  return origin && { host: origin.host, port: origin.port, scheme: origin.scheme }
})
