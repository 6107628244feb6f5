import { hasOrigin, typeName } from '../cdn/services.js'
import { isWord } from '../cdn/text.js'
import { cdnFile } from '../core/defineFile.js'
import { defineFragment } from '../core/fragments.js'
import { one } from '../core/reader.js'

/** The certificate of each delivery service that speaks https, by the name of its first host (config-files.md §6.17). */
export default cdnFile({
  name: 'ssl_multicert.config',
  view: ({ data, subject, warn }) => {
    const hosts = data
      .ids('deliveryServices', 'cdnId', subject.id)
      .flatMap((id) => certifiedHost({ data, warn }, id) ?? [])
    return { hosts: named([...new Set(hosts)].sort()) }
  },
})

/**
 * Each host with the name of its certificate's file. Where `a.b` and `a_b` would have one, each has its own name as it is:
 * no other host has that, for underscored it would be one of them.
 */
function named(hosts: readonly string[]): { host: string; certificate: string }[] {
  const underscored = hosts.map((host) => host.replaceAll('.', '_'))
  const counts = new Map<string, number>()
  for (const name of underscored) counts.set(name, (counts.get(name) ?? 0) + 1)
  return hosts.map((host, at) => ({ host, certificate: counts.get(underscored[at]!) === 1 ? underscored[at]! : host }))
}

/** Set 0 is asked for below the CDN's domain, the other sets are names of their own. */
const certifiedHost = defineFragment('ssl_multicert.config', ({ data, warn }, id: number): string | null => {
  const service = data.get('deliveryServices', id)
  if (!service || (service.protocol ?? 0) === 0 || !hasOrigin(typeName(data, service.typeId))) return null
  const hostRegexp = one(data, 'types', 'name', 'HOST_REGEXP')?.id
  const record = { kind: 'deliveryServices', id, name: service.xmlId }
  const [first] = data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .filter(({ typeId }) => typeId === hostRegexp)
    .sort((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  if (!first) {
    warn('service-without-regex', record, `${service.xmlId} has no host regex, so no certificate can be named`)
    return null
  }
  const label = first.pattern
    .replaceAll('\\', '')
    .replaceAll('.*', '')
    .replace(/^\.+|\.+$/g, '')
  const domain = data.get('cdns', service.cdnId)?.domainName ?? ''
  const host =
    first.setNumber === 0 ? `${service.routingName}.${label}.${domain}` : first.pattern.replaceAll('\\.', '.')
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(host) && !host.includes('..') && isWord(host)) return host
  warn('value-ignored', record, `no host name can be made from the first host regex of ${service.xmlId}`)
  return null
})
