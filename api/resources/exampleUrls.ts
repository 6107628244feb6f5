import { type Data, one } from '../data.js'

interface Service {
  readonly id: number
  readonly cdnId: number
  readonly routingName: string
  readonly protocol: number | null
}

const schemes: Readonly<Record<number, readonly string[]>> = {
  1: ['https'],
  2: ['http', 'https'],
  3: ['http', 'https'],
}

/**
 * The URLs at which clients enter a delivery service: for the host patterns of set 0 below the CDN's domain, for
 * those of other sets the pattern as it is (beyond.md §2.6).
 */
export function exampleUrls({ id, cdnId, routingName, protocol }: Service, data: Data): string[] {
  const hostRegexp = one(data, 'types', 'name', 'HOST_REGEXP')?.id
  const domain = data.get('cdns', cdnId)?.domainName ?? ''
  return data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .filter(({ typeId }) => typeId === hostRegexp)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)
    .flatMap(({ pattern, setNumber }) => {
      const part = pattern
        .replaceAll('\\', '')
        .replaceAll('.*', '')
        .replace(/^\.|\.$/g, '')
      const host = setNumber === 0 ? `${routingName}.${part}.${domain}` : pattern.replaceAll('\\', '')
      return (schemes[protocol ?? 0] ?? ['http']).map((scheme) => `${scheme}://${host}`)
    })
}
