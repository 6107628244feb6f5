import { type CompileContext, defineConfigFile, FileMissing } from '../define.js'
import { originOf } from '../hosts.js'
import { assignedInCdn, isMid, perService, typeName } from '../services.js'

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
      return data.memo('cache.config.mids', String(subject.cdnId), (data) =>
        neverCached({ data, warn }, assignedInCdn(data, subject.cdnId)),
      )
    },
  },
  listedScope: (serverType) => (isMid(serverType) ? 'servers' : 'profiles'),
})

function servicesOfProfile({ data, subject }: CompileContext<'profiles'>): readonly number[] {
  const servers = data.ids('servers', 'profileId', subject.id)
  const ids = new Set(servers.flatMap((id) => data.get('deliveryServiceServers', id)?.deliveryServices ?? []))
  return [...ids].sort((a, b) => a - b)
}

function neverCached({ data, warn }: Pick<CompileContext, 'data' | 'warn'>, ids: readonly number[]) {
  const rules = perService(data, 'cache.config', ids, (data, id) => ruleOf({ data, warn }, id))
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

function ruleOf({ data, warn }: Pick<CompileContext, 'data' | 'warn'>, id: number): Rule | null {
  const service = data.get('deliveryServices', id)
  if (!service || typeName(data, service.typeId) !== 'HTTP_NO_CACHE') return null
  const origin = originOf(service, { warn })
  return origin && { host: origin.host, port: origin.port, scheme: origin.scheme }
}
