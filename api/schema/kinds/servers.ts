import { defineKind } from '../defineKind.js'
import { dnsName, integer, ipv4, ipv6, optional, port, ref, text } from '../fields.js'

/** Short enough to be a label; letters, digits, dot, hyphen, underscore: it becomes part of files and of names. */
export const hostName = text({
  max: 253,
  pattern: '^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?$',
  form: 'a host name: letters, digits, dots, hyphens and underscores, with a letter, digit or underscore first and last',
})

export const fields = {
  hostName,
  domainName: dnsName(),
  cachegroupId: ref('cachegroups', { nameAliases: ['cachegroup', 'cachegroupName'] }),
  cdnId: ref('cdns', { nameAliases: ['cdnName', 'cdn'] }),
  profileId: ref('profiles', { nameAliases: ['profile', 'profileName'] }),
  typeId: ref('types', { nameAliases: ['type', 'typeName'] }),
  statusId: ref('statuses', { nameAliases: ['status', 'statusName'] }),
  physLocationId: ref('physLocations', { nameAliases: ['physLocation', 'physLocationName'] }),
  interfaceName: text({ pattern: '^\\S+$', form: 'one word, without spaces' }),
  interfaceMtu: integer({ min: 68, max: 65_535, description: 'Bytes; IPv4 needs 68.' }),
  ipAddress: optional(ipv4({ description: 'Caches, routers and monitors must have one, with netmask and gateway.' })),
  ipNetmask: optional(ipv4()),
  ipGateway: optional(ipv4()),
  ip6Address: optional(ipv6()),
  ip6Gateway: optional(ipv6()),
  tcpPort: optional(port()),
  httpsPort: optional(port()),
  rack: optional(text()),
  offlineReason: optional(
    text({ max: 1024, description: 'Why the server is ADMIN_DOWN or OFFLINE, and who said so.' }),
  ),
  mgmtIpAddress: optional(ipv4()),
  mgmtIpNetmask: optional(ipv4()),
  mgmtIpGateway: optional(ipv4()),
  iloIpAddress: optional(ipv4()),
  iloIpNetmask: optional(ipv4()),
  iloIpGateway: optional(ipv4()),
  iloUsername: optional(text()),
  iloPassword: optional(text({ secret: true })),
  routerHostName: optional(text()),
  routerPortName: optional(text()),
  guid: optional(text()),
  xmppId: optional(
    text({
      pattern: '^\\S+$',
      form: 'one word, without spaces',
      description: 'The consistent-hash id; the host name unless the body says otherwise.',
    }),
  ),
  xmppPasswd: optional(text({ secret: true })),
}

export default defineKind({
  kind: 'servers',
  description: 'A machine of the CDN: a cache, a router, a monitor, an origin.',
  label: 'server',
  key: 'hostName',
  fields,
  unique: [
    ['ipAddress', 'profileId'],
    ['ip6Address', 'profileId'],
  ],
  computed: { profileDesc: '1.1', updPending: '1.1', revalPending: '1.3' },
})
