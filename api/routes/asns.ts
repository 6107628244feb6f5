import type { ReadEndpoint } from '../operations/endpoint.js'
import type { Filters } from './crud/filters.js'
import { list, read } from './crud/readRoutes.js'
import type { Resource } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

const filters: Filters = {
  asn: 'asn',
  cachegroup: 'cachegroupId',
  cachegroupId: 'cachegroupId',
  cachegroupName: (rows, name, data) =>
    rows.filter((row) => data.get('cachegroups', row.cachegroupId as number)?.name === name),
}

export default defineResource('asns', {
  legacy: { numbers: ['asn'] },
  routes: [
    wrappedIn11(list('/asns', { role: 'any', order: 'asn', filters })),
    read('/asns/:id', { role: 'any' }),
    create('/asns', { role: 'oper' }),
    update('/asns/:id', { role: 'oper' }),
    remove('/asns/:id', { role: 'oper' }),
    update('/asns', { role: 'oper' }),
    remove('/asns', { role: 'oper' }),
  ],
})

/** Version 1.1 puts the list one level deeper (beyond.md §1.4). */
function wrappedIn11(route: (resource: Resource) => ReadEndpoint): (resource: Resource) => ReadEndpoint {
  return (resource) => {
    const plain = route(resource)
    return {
      ...plain,
      read: (input, data) => {
        const { response } = plain.read(input, data)
        return { response: input.version === '1.1' ? { asns: response } : response }
      },
    }
  }
}
