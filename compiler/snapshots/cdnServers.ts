import { isCache } from '../cdn/services.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'
import type { Cachegroup, Profile, Server } from '../data/model.js'

/** A server with the names the documents show; empty where the record it refers to does not exist. */
export interface CdnServer {
  readonly server: Server
  readonly type: string
  readonly status: string
  readonly cachegroup: Cachegroup | null
  readonly profile: Profile | null
}

export interface CdnServers {
  /** Every status, ordered by host name. */
  readonly caches: readonly CdnServer[]
  readonly routers: readonly CdnServer[]
  readonly monitors: readonly CdnServer[]
  /** Ids of the profiles of all servers of the CDN, whatever their type; those of routers first. */
  readonly profileIds: readonly number[]
}

/** The servers of a CDN by what they are to its monitors and routers. */
export const cdnServers = defineFragment('snapshots.cdnServers', (making, cdnId: number): CdnServers => {
  const all = making.data
    .by('servers', 'cdnId', cdnId)
    .map((server) => named(making, server))
    .sort((a, b) => (a.server.hostName < b.server.hostName ? -1 : 1))
  const routers = all.filter(({ type }) => type === 'CCR')
  return {
    caches: all.filter(({ type }) => isCache(type)),
    routers,
    monitors: all.filter(({ type }) => type === 'RASCAL'),
    profileIds: [...new Set([...profileIds(routers), ...profileIds(all)])],
  }
})

/** Whether routers and monitors are told of it: the other statuses are out of use, or only being prepared. */
export const isInUse = ({ status }: CdnServer) =>
  status === 'ONLINE' || status === 'REPORTED' || status === 'ADMIN_DOWN'

/** The ids of these servers' profiles, ascending, each once. */
export function profileIds(servers: readonly CdnServer[]): number[] {
  return [...new Set(servers.map(({ server }) => server.profileId))].sort((a, b) => a - b)
}

export const serverRef = ({ id, hostName }: Server) => ({ kind: 'servers', id, name: hostName })

/** What every document says of every server. */
export function addresses({ server, status, profile }: CdnServer) {
  return {
    profile: profile?.name ?? '',
    status,
    ip: server.ipAddress ?? '',
    ip6: server.ip6Address ?? '',
    port: server.tcpPort ?? 80,
    fqdn: `${server.hostName}.${server.domainName}`,
  }
}

/** The name that places a cache on the routers' hash ring. */
export const hashId = ({ xmppId, hostName }: Server): string => xmppId || hostName

function named({ data, warn }: Asking, server: Server): CdnServer {
  const found = <T>(record: T | undefined, what: string): T | null => {
    if (record === undefined) {
      warn('dangling-reference', serverRef(server), `the ${what} of ${server.hostName} does not exist`)
    }
    return record ?? null
  }
  return {
    server,
    type: found(data.get('types', server.typeId), 'type')?.name ?? '',
    status: found(data.get('statuses', server.statusId), 'status')?.name ?? '',
    cachegroup: found(data.get('cachegroups', server.cachegroupId), 'cache group'),
    profile: found(data.get('profiles', server.profileId), 'profile'),
  }
}
