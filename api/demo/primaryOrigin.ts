import type { SampleService } from './service.js'

/** The origin record that comes with every delivery service that has an origin, and bears its name. */
export function primaryOrigin({ record }: SampleService) {
  if (record.orgServerFqdn === null) return []
  const { protocol, hostname, port } = new URL(record.orgServerFqdn)
  return [
    {
      ...blankOrigin,
      name: record.xmlId,
      deliveryService: record.xmlId,
      tenant: record.tenant,
      protocol: protocol.slice(0, -1),
      fqdn: hostname,
      port: port === '' ? null : Number(port),
      isPrimary: true,
    },
  ]
}

export const blankOrigin = {
  ipAddress: null as string | null,
  ip6Address: null as string | null,
  cachegroup: null as string | null,
  coordinate: null as string | null,
  profile: null as string | null,
  port: null as number | null,
  isPrimary: false,
}
