import { isIPv4, isIPv6 } from 'node:net'
import { Type } from '@sinclair/typebox'
import { create, type Filters, list, read, remove, update } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import { dnsName, integer, optional, type RecordOf, ref, text } from '../../schema/fields.js'
import { defineResource, type JoinedRow } from '../defineKind.js'
import { typeOf } from '../rules.js'

export const fields = {
  host: dnsName(),
  /** An address, a name, or text, by the type. */
  address: text({ max: 1024 }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
  /** Seconds. */
  ttl: integer({ max: 2_147_483_647 }),
  deliveryServiceId: ref('deliveryServices', {
    also: ['deliveryserviceId'],
    as: ['deliveryService', 'deliveryservice'],
    onDelete: 'cascade',
  }),
  cachegroupId: optional(ref('cachegroups', { as: ['cachegroup', 'cachegroupName'] })),
}

type Entry = RecordOf<typeof fields>

const filters: Filters = {
  host: 'host',
  address: 'address',
  ttl: 'ttl',
  typeId: 'typeId',
  type: (rows, name, data) => rows.filter((row) => data.get('types', row.typeId as number)?.name === name),
  deliveryserviceId: 'deliveryServiceId',
  deliveryservice: (rows, xmlId, data) =>
    rows.filter((row) => data.get('deliveryServices', row.deliveryServiceId as number)?.xmlId === xmlId),
  cachegroupId: 'cachegroupId',
  cachegroup: (rows, name, data) =>
    rows.filter((row) => data.get('cachegroups', row.cachegroupId as number | null)?.name === name),
}

export default defineResource({
  kind: 'staticDnsEntries',
  label: 'staticDNSEntry',
  key: null,
  fields,
  rules,
  tenant: (entry, data) => data.get('deliveryServices', entry.deliveryServiceId)?.tenantId ?? null,
  shown: {
    deliveryserviceId: Type.Integer(),
    deliveryservice: Type.String(),
    deliveryServiceId: null,
    deliveryService: null,
  },
  present: {
    '1.1': ({ host, address, ttl, type, deliveryService, cachegroup, lastUpdated }) => ({
      host,
      address,
      ttl,
      type,
      deliveryservice: deliveryService,
      cachegroup,
      lastUpdated,
    }),
    '1.2': (row) => ({
      ...native(row),
      id: String(row.id),
      typeId: String(row.typeId),
      deliveryserviceId: String(row.deliveryServiceId),
      cachegroupId: row.cachegroupId === null ? null : String(row.cachegroupId),
    }),
    '1.3': native,
  },
  written: native,
  routes: [
    list('/staticdnsentries', { role: 'any', order: 'host', filters }),
    read('/staticdnsentries/:id', { role: 'any' }),
    create('/staticdnsentries', { role: 'oper' }),
    update('/staticdnsentries', { role: 'oper' }),
    remove('/staticdnsentries', { role: 'oper' }),
  ],
})

function native({ deliveryService, deliveryServiceId, ...row }: JoinedRow<typeof fields>) {
  return { ...row, deliveryservice: deliveryService, deliveryserviceId: deliveryServiceId }
}

const dns =
  /^(?=.{1,254}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?$/

const addresses: Readonly<Record<string, readonly [fits: (address: string) => boolean, what: string]>> = {
  A_RECORD: [isIPv4, 'an IPv4 address'],
  AAAA_RECORD: [isIPv6, 'an IPv6 address'],
  CNAME_RECORD: [(address) => dns.test(address), 'a DNS name'],
}

function* rules({ after, data }: { after: Entry; data: Data }) {
  yield* typeOf('staticdnsentry', after, data)
  const [fits, what] = addresses[data.get('types', after.typeId)?.name ?? ''] ?? []
  if (fits && !fits(after.address)) yield { path: 'address', text: `address must be ${what}` }
  const twin = data
    .by('staticDnsEntries', 'deliveryServiceId', after.deliveryServiceId)
    .find(
      ({ id, host, address, cachegroupId }) =>
        id !== after.id && host === after.host && address === after.address && cachegroupId === after.cachegroupId,
    )
  if (twin) {
    const text = `a staticDNSEntry with host ${after.host} and address ${after.address} already exists.`
    yield { path: 'host', text, status: 409 as const }
  }
}
