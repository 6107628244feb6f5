import { type CompileContext, defineConfigFile, FileMissing } from '../define.js'
import { originOf } from '../hosts.js'
import { assignedInCdn, isMid, typeName } from '../services.js'

/**
 * What must not be cached (config-files.md §6.5). Edges of a profile share the file, so it is about the services
 * of all of them; a mid's is about its CDN's.
 */
export default defineConfigFile({
  name: 'cache.config',
  views: {
    profiles: (context) => neverCached(context, servicesOfProfile(context)),
    servers: (context) => {
      const { data, subject } = context
      if (!isMid(typeName(data, subject.typeId))) throw new FileMissing("cache.config of an edge is its profile's")
      return neverCached(context, assignedInCdn(data, subject.cdnId))
    },
  },
  listedScope: (serverType) => (isMid(serverType) ? 'servers' : 'profiles'),
})

function servicesOfProfile({ data, subject }: CompileContext<'profiles'>): Iterable<number> {
  const servers = data.ids('servers', 'profileId', subject.id)
  return new Set(servers.flatMap((id) => data.get('deliveryServiceServers', id)?.deliveryServices ?? []))
}

function neverCached({ data, warn }: CompileContext, ids: Iterable<number>) {
  const byText = new Map<string, Rule>()
  for (const id of ids) {
    const rule = data.memo('cache.config', String(id), (data) => ruleOf({ data, warn }, id))
    if (rule) byText.set(`${rule.host} ${rule.port} ${rule.scheme}`, rule)
  }
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
