import { cacheServerVersion, globalValue, profileParameters } from '../cdn/parameters.js'
import type { EdgeClass, MidClass } from '../cdn/remap/remapBlocks.js'
import { edgeClass, edgeFiles, midClass, midFiles } from '../cdn/remap/remapBlocks.js'
import { serviceFiles } from '../cdn/serviceFiles.js'
import { definePerGroup, isCache, isMid, serviceByXmlId, serviceIds, typeName } from '../cdn/services.js'
import type { Scope } from '../core/defineFile.js'
import { FileMissing } from '../core/defineFile.js'
import { unheard } from '../core/notes.js'
import type { Reader } from '../core/reader.js'
import { scopeOf } from '../core/registry.js'
import type { Server } from '../data/model.js'
import { catalogue } from './configFiles.js'

export interface ListedFile {
  readonly fnameOnDisk: string
  /** The folder on the cache. */
  readonly location?: string
  /** Left out when it is `servers` (config-files.md §1.6). */
  readonly scope?: 'profiles' | 'cdns'
  /** Where the file is fetched; left out when `url` says it. */
  readonly apiUri?: string
  readonly url?: string
}

export interface Listing {
  readonly info: {
    readonly serverName: string
    readonly serverIpv4: string
    readonly serverId: number
    readonly serverTcpPort: number | null
    readonly profileId: number
    readonly profileName: string
    readonly cdnId: number
    readonly cdnName: string
    readonly toUrl: string
    readonly toRevProxyUrl?: string
  }
  readonly configFiles: readonly ListedFile[]
}

/**
 * Which config files a server has, where they lie and where they are fetched (config-files.md §1), by file name.
 * Throws FileMissing when there is no such server.
 *
 * @param serviceUrl where the service is found when no parameter says so
 *
 * Files come from `location` and `URL` parameters of the server's profile. For caches whose `remap.config` has a
 * location three kinds are added, because a cache that gets a remap.config without a file it names refuses it all:
 * every file that remap.config names, the `uri_signing` files of its services, and what the cache server's version
 * cannot do without (see `required`).
 */
export function listing(data: Reader, serverId: number, apiVersion: string, serviceUrl: string): Listing {
  const server = data.get('servers', serverId)
  if (!server) throw new FileMissing('Resource not found.')
  const type = typeName(data, server.typeId)
  const profileName = data.get('profiles', server.profileId)?.name ?? ''
  const cdnName = data.get('cdns', server.cdnId)?.name ?? ''
  const revProxy = globalValue(data, 'tm.rev_proxy.url')
  const subjects = {
    servers:
      data.ids('servers', 'hostName', server.hostName).length > 1 ? `${serverId}` : said(server.hostName, serverId),
    profiles: said(profileName, server.profileId),
    cdns: said(cdnName, server.cdnId),
  }

  const places = placesByParameter(data, server, type)
  addInferred(data, server, type, places)
  const configFiles = [...places.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, place]) => entry(file, place))

  return {
    info: {
      serverName: server.hostName,
      serverIpv4: server.ipAddress ?? '',
      serverId,
      serverTcpPort: server.tcpPort,
      profileId: server.profileId,
      profileName,
      cdnId: server.cdnId,
      cdnName,
      toUrl: globalValue(data, 'tm.url') ?? serviceUrl,
      ...(revProxy === null ? {} : { toRevProxyUrl: revProxy }),
    },
    configFiles,
  }

  function entry(file: string, { location, url }: Place): ListedFile[] {
    const placed = { fnameOnDisk: file, ...(location === undefined ? {} : { location }) }
    if (url !== undefined) return [{ ...placed, scope: 'cdns', url }]
    const resolved = catalogue.resolve(file)
    if (!resolved) return []
    const scope: Scope = scopeOf(resolved, file, type, data)
    const [subject, name] = [subjects[scope], file].map(encodeURIComponent)
    const apiUri = `/api/${apiVersion}/${scope}/${subject}/configfiles/cachesw/${name}`
    return [{ ...placed, ...(scope === 'servers' ? {} : { scope }), apiUri }]
  }
}

/** By its name; but one of digits alone would be taken for an id, so that one is asked for by its own. */
const said = (name: string, id: number): string => (/^\d+$/.test(name) ? `${id}` : name)

interface Place {
  location?: string
  url?: string
}

function placesByParameter(data: Reader, server: Server, type: string): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const [name, key] of [['location', 'location'] as const, ['URL', 'url'] as const]) {
    for (const { configFile, value } of data.by('parameters', 'profileName', `${server.profileId}/${name}`)) {
      if (!isFileName(configFile) || !isOurs(data, server, type, configFile)) continue
      const place = places.get(configFile) ?? {}
      place[key] ??= value
      places.set(configFile, place)
    }
  }
  return places
}

/** The agent puts the name behind the location, so it must not lead elsewhere. */
export const isFileName = (name: string): boolean =>
  /^[^/\\\p{Cc}]{1,255}$/u.test(name) && name !== '.' && name !== '..'

/** A service's file is left out where the service is not: on an edge the assigned ones, on a mid those of the CDN. */
function isOurs(data: Reader, server: Server, type: string, file: string): boolean {
  const [, kind, mid, xmlId] =
    /^(hdr_rw_(mid_)?|regex_remap_|cacheurl_(?!qstring\.)|url_sig_|uri_signing_)(.+)\.config$/.exec(file) ?? []
  if (xmlId === undefined || !isCache(type)) return true
  const services = [xmlId, ...(mid ? [`${mid}${xmlId}`] : [])].flatMap(
    (name) => serviceByXmlId(data, server.cdnId, name) ?? [],
  )
  const assigned = isMid(type) ? null : (data.get('deliveryServiceServers', server.id)?.deliveryServices ?? [])
  const here = services.filter(({ id }) => !assigned || assigned.includes(id))
  // Before the keys are made there is no such file, and an agent gives up on a listed file it cannot get.
  if (kind === 'uri_signing_') return here.some(({ id }) => data.get('uriSigningKeys', id))
  if (kind === 'url_sig_') {
    const asParameters = profileParameters(data, server.profileId, file).length > 0
    return here.some(({ id }) => asParameters || data.get('urlSigKeys', id))
  }
  return here.length > 0
}

function addInferred(data: Reader, server: Server, type: string, places: Map<string, Place>): void {
  const base = places.get('remap.config')?.location?.replace(/\/+$/, '')
  if (base === undefined || !isCache(type)) return
  const add = (path: string) => {
    const [file = '', folder] = path.split('/').reverse()
    if (!places.has(file)) places.set(file, { location: folder === undefined ? base : `${base}/${folder}` })
  }
  for (const file of required(data, server, type)) add(file)
  for (const file of namedByRemap(data, server, type)) add(file)
}

/**
 * Files a cache of this version needs even when no parameter says so. Only those that are made from records alone,
 * and those whose parameters the profile has: an empty records.config or storage.config in place of the machine's own
 * would stop it.
 */
function required(data: Reader, { profileId }: Server, type: string): string[] {
  const version = cacheServerVersion(data, profileId)
  if (version < 8) return []
  const has = (file: string) => profileParameters(data, profileId, file).length > 0
  const names = version >= 9 ? 'sni.yaml' : 'ssl_server_name.yaml'
  return [
    ...['cache.config', 'parent.config', version >= 9 ? 'ip_allow.yaml' : 'ip_allow.config'],
    ...(isMid(type) ? [] : [names]),
    ...(has('storage.config') ? ['hosting.config', 'storage.config', 'volume.config'] : []),
    ...['plugin.config', 'records.config'].filter(has),
  ]
}

/** What is amiss with a service is said with its remap.config. */
function namedByRemap(data: Reader, server: Server, type: string): Set<string> {
  const asking = { data, warn: unheard }
  const ids = serviceIds(asking, server)
  if (isMid(type)) return new Set(filesOnMid(asking, ids, midClass(data, server)).flat())
  const named = filesOnEdge(asking, ids, edgeClass(data, server))
  const keyed = named.filter(({ keysIn }) => !keysIn || profileParameters(data, server.profileId, keysIn).length > 0)
  return new Set(keyed.flatMap(({ files }) => files))
}

const filesOnMid = definePerGroup('listing.mid', (making, ids, mid: MidClass) => [
  ...new Set(ids.flatMap((id) => midFiles(making, id, mid))),
])

/** The files of services that depend on nothing else in one list, each once; those that need keys apart. */
const filesOnEdge = definePerGroup('listing.edge', (making, ids, edge: EdgeClass) => {
  const { data } = making
  const files = new Set<string>()
  const unkeyed: { files: readonly string[]; keysIn: string | null }[] = []
  for (const id of ids) {
    const service = data.get('deliveryServices', id)
    const isUriSigned = service?.signingAlgorithm === 'uri_signing' && data.get('uriSigningKeys', id)
    if (isUriSigned) files.add(serviceFiles(service.xmlId).uriSigning)
    const named = edgeFiles(making, id, edge)
    if (named.keysIn) unkeyed.push(named)
    else for (const file of named.files) files.add(file)
  }
  return [{ files: [...files], keysIn: null }, ...unkeyed]
})
