import type { ReadEndpoint } from '../../operations/endpoint.js'
import { create, type Filters, list, read, remove, update } from '../../routes/crud/routes.js'
import { integer, ref } from '../../schema/fields.js'
import { defineResource, type Resource } from '../defineKind.js'

export const fields = {
  /** The same number may be announced from several places. */
  asn: integer({ max: 4_294_967_295 }),
  cachegroupId: ref('cachegroups', { as: ['cachegroup', 'cachegroupName'] }),
}

const filters: Filters = {
  asn: 'asn',
  cachegroup: 'cachegroupId',
  cachegroupId: 'cachegroupId',
  cachegroupName: (rows, name, data) =>
    rows.filter((row) => data.get('cachegroups', row.cachegroupId as number)?.name === name),
}

export default defineResource({
  kind: 'asns',
  label: 'asn',
  key: null,
  fields,
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
      read: (asked, data) => {
        const { response } = plain.read(asked, data)
        return { response: asked.version === '1.1' ? { asns: response } : response }
      },
    }
  }
}
