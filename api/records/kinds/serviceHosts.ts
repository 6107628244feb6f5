import { isHostName, unfitForDns } from '../../config/hostNames.js'
import type { Data } from '../../schema/data.js'
import { urlsOf } from './exampleUrls.js'

interface Service {
  readonly routingName: string
  readonly protocol: number | null
  readonly cdnId: number
}

/**
 * Why clients could not come to a delivery service by these host patterns, `null` when they can: a host would be no name
 * of DNS (RFC 1035) or, where it speaks HTTPS, one that no certificate can have (RFC 5280: no underscores). Of patterns
 * that are more than a name nothing is said.
 */
export function unfitHost(
  service: Service,
  patterns: readonly { readonly pattern: string; readonly setNumber: number }[],
  data: Data,
): string | null {
  const domain = data.get('cdns', service.cdnId)?.domainName ?? ''
  for (const url of urlsOf(service, patterns, domain)) {
    const [scheme, host = ''] = url.split('://')
    if (!name.test(host)) continue
    const why = unfitForDns(host)
    if (why !== null) return `the host name ${host} ${why}`
    if (scheme === 'https' && !isHostName(host))
      return `no certificate can be for ${host}: over HTTPS a host name has letters, digits and hyphens only`
  }
  return null
}

/** A name, unless something is missing in it. */
const name = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/
