import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'

interface Service {
  readonly routingName: string
  readonly protocol: number | null
}

const schemes: Readonly<Record<number, readonly string[]>> = {
  1: ['https'],
  2: ['http', 'https'],
  3: ['http', 'https'],
}

/**
 * The URLs at which clients enter a delivery service: for its host patterns of set 0 below the CDN's domain, for
 * those of other sets the pattern as it is (beyond.md §2.6).
 */
export function exampleUrls(service: Service & { readonly id: number; readonly cdnId: number }, data: Data): string[] {
  const hostRegexp = findOne(data, 'types', 'name', 'HOST_REGEXP')?.id
  const hosts = data
    .by('deliveryServiceRegexes', 'deliveryServiceId', service.id)
    .filter(({ typeId }) => typeId === hostRegexp)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  return urlsOf(service, hosts, data.get('cdns', service.cdnId)?.domainName ?? '')
}

/** The same for whoever has the host patterns at hand, in order. */
export function urlsOf(
  { routingName, protocol }: Service,
  hosts: readonly { readonly pattern: string; readonly setNumber: number }[],
  domain: string,
): string[] {
  return hosts.flatMap(({ pattern, setNumber }) => {
    const bare = pattern.replaceAll('\\', '')
    const part = bare.replaceAll('.*', '').replace(/^\.|\.$/g, '')
    const host = setNumber === 0 ? `${routingName}.${part}.${domain}` : bare
    return (schemes[protocol ?? 0] ?? ['http']).map((scheme) => `${scheme}://${host}`)
  })
}
