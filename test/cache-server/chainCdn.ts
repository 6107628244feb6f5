import type { DeliveryService, Job, Model } from '../../compiler/data/model.js'
import { kinds } from '../../compiler/data/model.js'
import { chainParameters } from './chainParameters.js'
import type { ChainPorts, ChainService } from './chainServices.js'
import { chainServices, originHost } from './chainServices.js'

export const edgeId = 1
export const firstMidId = 2
export const secondMidId = 3

/** Its address as mids know it; what the process of the chain itself sends comes from 127.0.0.1. */
export const edgeAddress = '127.0.0.3'

const domain = 'chain.test'

/** What clients call a service at the edge, as the Host header of their requests. */
export const edgeHost = (xmlId: string, { edge }: ChainPorts) => `edge1.${xmlId}.${domain}:${edge}`
export const edgeTlsHost = (xmlId: string, { edgeTls }: ChainPorts) => `edge1.${xmlId}.${domain}:${edgeTls}`

/** The names that every cache of the chain must find at this machine. */
export const hostNames = (ports: ChainPorts): readonly string[] => [
  `mid1.${domain}`,
  `mid2.${domain}`,
  `site1.${domain}`,
  `site2.${domain}`,
  ...chainServices(ports).map(({ xmlId }) => originHost(xmlId)),
]

/** An invalidation rule of the service whose origin it names. */
export type Purge = Pick<Job, 'assetUrl' | 'startTime'>

/** The keys of every signed service, by their names in url_sig_X.config. */
export const urlSigKeys: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, index) => [`key${index}`, `chain-key-${index}`]),
)

/** The key that tokens of services with uri_signing are signed with. */
export const tokenKey = { issuer: 'chain', kid: 'first', key: 'known to the test and the edge' }

/**
 * The records of a CDN of one edge, a mid in its primary parent group, another in its secondary one, and a delivery
 * service per promise that is to be seen kept. The ports are those the processes really listen on.
 */
export function chainCdn(ports: ChainPorts, purges: readonly Purge[] = []) {
  const services = chainServices(ports).map((service, index) => serviceRecord(service, { id: index + 1, ports }))
  const signedBy = (algorithm: string) => services.filter(({ signingAlgorithm }) => signingAlgorithm === algorithm)
  return {
    cdns: [{ id: 1, name: 'chain', domainName: domain, dnssecEnabled: false }],
    types: named(types),
    statuses: named(['REPORTED']),
    cachegroups: [
      group({ id: 1, name: 'edges', type: 'EDGE_LOC', parents: [2, 3] }),
      group({ id: 2, name: 'mids', type: 'MID_LOC', parents: [4, null] }),
      group({ id: 3, name: 'more-mids', type: 'MID_LOC', parents: [4, null] }),
      group({ id: 4, name: 'origins', type: 'ORG_LOC', parents: [null, null] }),
    ],
    profiles: [
      profile({ id: 1, name: 'GLOBAL', cdn: null }),
      profile({ id: 2, name: 'EDGE_CHAIN', cdn: 1 }),
      profile({ id: 3, name: 'MID_CHAIN', cdn: 1 }),
      profile({ id: 4, name: 'DS_PRISTINE', cdn: 1 }),
      profile({ id: 5, name: 'ORG_CHAIN', cdn: 1 }),
      profile({ id: 6, name: 'DS_MODERN_TLS', cdn: 1 }),
    ],
    parameters: chainParameters(ports),
    servers: [
      server({
        id: edgeId,
        hostName: 'edge1',
        type: 'EDGE',
        groupId: 1,
        profileId: 2,
        tcpPort: ports.edge,
        httpsPort: ports.edgeTls,
      }),
      server({ id: firstMidId, hostName: 'mid1', type: 'MID', groupId: 2, profileId: 3, tcpPort: ports.firstMid }),
      server({ id: secondMidId, hostName: 'mid2', type: 'MID', groupId: 3, profileId: 3, tcpPort: ports.secondMid }),
      server({ id: 4, hostName: 'site1', type: 'ORG', groupId: 4, profileId: 5, tcpPort: ports.origin.firstSite }),
      server({ id: 5, hostName: 'site2', type: 'ORG', groupId: 4, profileId: 5, tcpPort: ports.origin.secondSite }),
    ],
    deliveryServices: services,
    deliveryServiceRegexes: services.map(({ id, xmlId }) => {
      return { id, deliveryServiceId: id, typeId: typeId('HOST_REGEXP'), pattern: `.*\\.${xmlId}\\..*`, setNumber: 0 }
    }),
    deliveryServiceServers: [
      { id: edgeId, deliveryServices: services.map(({ id }) => id) },
      ...[4, 5].map((id) => ({ id, deliveryServices: services.filter((s) => s.multiSiteOrigin).map(({ id }) => id) })),
    ],
    // Nothing is sealed here: these compiles are given an `unseal` that returns what it gets.
    urlSigKeys: signedBy('url_sig').map(({ id }) => ({ id, sealed: JSON.stringify(urlSigKeys) })),
    uriSigningKeys: signedBy('uri_signing').map(({ id }) => ({ id, sealed: JSON.stringify(uriSigningKeys()) })),
    jobs: purges.map((purge, index) => {
      const deliveryServiceId = services.find(({ xmlId }) => purge.assetUrl.includes(originHost(xmlId)))?.id ?? 0
      return { id: index + 1, deliveryServiceId, keyword: 'PURGE', parameters: 'TTL:24h', active: true, ...purge }
    }),
  } satisfies { [K in keyof Model]?: readonly Model[K][] }
}

const uriSigningKeys = () => {
  const { issuer, kid, key } = tokenKey
  const jwk = { alg: 'HS256', kid, kty: 'oct', k: Buffer.from(key).toString('base64url') }
  return { [issuer]: { renewal_kid: kid, keys: [jwk] } }
}

function serviceRecord(service: ChainService, { id, ports }: { id: number; ports: ChainPorts }): DeliveryService {
  const { type = 'HTTP', ...chosen } = service
  const own = { id, typeId: typeId(type), orgServerFqdn: `http://${originHost(service.xmlId)}:${ports.origin.plain}` }
  const usual = {
    active: true,
    cdnId: 1,
    routingName: 'cdn',
    protocol: 0,
    dscp: 8,
    qstringIgnore: 0,
    rangeRequestHandling: 0,
  }
  return { ...kinds.deliveryServices.fields, ...usual, ...own, ...chosen }
}

const types = [
  'EDGE',
  'MID',
  'ORG',
  'EDGE_LOC',
  'MID_LOC',
  'ORG_LOC',
  'HOST_REGEXP',
  'HTTP',
  'HTTP_LIVE',
  'HTTP_NO_CACHE',
]
const typeId = (name: string) => types.indexOf(name) + 1
const named = (names: readonly string[]) => names.map((name, index) => ({ id: index + 1, name, useInTable: '' }))

const profile = (fields: { id: number; name: string; cdn: number | null }) => ({
  ...kinds.profiles.fields,
  ...fields,
})

function server({ type, groupId, ...fields }: ServerChoices): Model['servers'] {
  const everywhere = { ...kinds.servers.fields, domainName: domain, cdnId: 1, statusId: 1, interfaceName: 'lo' }
  const address = { ipAddress: type === 'EDGE' ? edgeAddress : '127.0.0.1', ipNetmask: '255.0.0.0' }
  return { ...everywhere, ...address, ...fields, typeId: typeId(type), cachegroupId: groupId }
}

interface ServerChoices extends Pick<Model['servers'], 'id' | 'hostName' | 'profileId' | 'tcpPort'> {
  readonly httpsPort?: number
  readonly type: string
  readonly groupId: number
}

function group({ type, parents, ...fields }: { id: number; name: string; type: string; parents: (number | null)[] }) {
  const [parentCachegroupId = null, secondaryParentCachegroupId = null] = parents
  const chosen = { ...fields, typeId: typeId(type), parentCachegroupId, secondaryParentCachegroupId }
  return { ...kinds.cachegroups.fields, ...chosen }
}
