import { Type } from '@sinclair/typebox'
import type { Records } from '../schema/records.js'
import type { Filters } from './crud/filters.js'
import { list, read } from './crud/readRoutes.js'
import type { JoinedRow } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

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

export default defineResource('staticDnsEntries', {
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
  writeResponse: native,
  routes: [
    list('/staticdnsentries', { role: 'any', order: 'host', filters }),
    read('/staticdnsentries/:id', { role: 'any' }),
    create('/staticdnsentries', { role: 'oper' }),
    update('/staticdnsentries', { role: 'oper' }),
    remove('/staticdnsentries', { role: 'oper' }),
  ],
})

function native({ deliveryService, deliveryServiceId, ...row }: JoinedRow<Records['staticDnsEntries']>) {
  return { ...row, deliveryservice: deliveryService, deliveryserviceId: deliveryServiceId }
}
