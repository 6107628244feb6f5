import type { SampleService } from '../api/demo/service.js'
import { service } from '../api/demo/service.js'

/** Of 100 delivery services, how many are of a type. */
const typeShares = {
  HTTP: 58,
  DNS: 14,
  HTTP_NO_CACHE: 8,
  HTTP_LIVE: 7,
  HTTP_LIVE_NATNL: 5,
  DNS_LIVE: 4,
  DNS_LIVE_NATNL: 4,
}
const types = Object.entries(typeShares).flatMap(([type, count]) => Array.from({ length: count }, () => type))
const marks = [0, 8, 10, 18, 26, 34]

interface Options {
  readonly tenants: readonly string[]
  readonly ownFiles: number
  readonly random: () => number
}

/** Delivery services with the mix of types and options that large operators have. */
export function fleetServices(count: number, { tenants, ownFiles, random }: Options): readonly SampleService[] {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!
  const chance = (share: number) => random() < share
  return Array.from({ length: count }, (_, index) => {
    const xmlId = `service-${String(index).padStart(4, '0')}`
    const type = pick(types)
    const protocol = pick([0, 0, 0, 1, 2, 2, 3])
    const port = chance(0.1) ? `:${8000 + (index % 1000)}` : ''
    // Spread evenly, so that a small share still gives every fleet some.
    const own = Math.floor((index + 1) * ownFiles) > Math.floor(index * ownFiles)
    return service(
      'fleet',
      {
        xmlId,
        type,
        displayName: `Service ${index}`,
        tenant: tenants[index % tenants.length]!,
        cachegroups: [],
        patterns: chance(0.1) ? [['HOST_REGEXP', 1, `www.${xmlId}.example.com`]] : [],
      },
      {
        orgServerFqdn: `${chance(0.3) ? 'https' : 'http'}://origin-${index}.example.com${port}`,
        active: chance(0.97),
        multiSiteOrigin: type === 'HTTP' && index % 50 === 0,
        protocol,
        sslKeyVersion: protocol === 0 ? 0 : 1,
        dscp: pick(marks),
        qstringIgnore: port === '' ? pick([0, 0, 0, 1, 1, 2]) : pick([0, 1]),
        rangeRequestHandling: pick([0, 0, 0, 1, 2]),
        routingName: pick(['cdn', 'edge', 'video', 'www']),
        geoLimit: chance(0.05) ? 1 : 0,
        globalMaxMbps: chance(0.2) ? 10_000 : null,
        httpBypassFqdn: type.startsWith('HTTP') && chance(0.1) ? `bypass-${index}.example.org` : null,
        ...(own ? ownFile(xmlId, index) : {}),
      },
    )
  })
}

function ownFile(xmlId: string, index: number) {
  const edgeHeaderRewrite = `cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ set-header X-Service ${xmlId} [L]`
  const regexRemap = `^/old/(.*)$ http://origin-${index}.example.com/new/$1`
  return index % 3 === 0 ? { regexRemap } : { edgeHeaderRewrite }
}
