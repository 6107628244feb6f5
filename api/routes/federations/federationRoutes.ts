import { noSuch } from '../../config/errors.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import { mustChange, mustSee } from '../../records/kinds/federationReach.js'
import type { Data } from '../../schema/data.js'
import { subjectOf } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { byPathId } from '../crud/ids.js'
import { sortAndPage } from '../crud/lists.js'
import { present } from '../crud/present.js'
import type { Resource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

const all = '/cdns/:name/federations'
const single = '/cdns/:name/federations/:id'

const said = (verb: string) => (row: Row) => `Federation ${verb} [ cname = ${row.cname} ] with id: ${row.id}.`

/** Federations are reached through the CDN of their delivery services; a new one has none yet. */
export const federationRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  (resource) => ({
    method: 'GET',
    path: all,
    role: 'any',
    reach: 'tenants',
    summary: 'Federations of the delivery services of a CDN',
    query: listQuery,
    read: (input, data) => {
      const cdn = cdnOf(input, data)
      const shown = data.all('federations').flatMap((row) => entries(resource, row, cdn, input, data))
      return { response: sortAndPage(shown, input.query, 'cname') }
    },
  }),
  (resource) => ({
    method: 'GET',
    path: single,
    role: 'any',
    reach: 'tenants',
    summary: 'A federation',
    read: (input, data) => {
      const row = byPathId(data, 'federations', 'federation', input)
      const shown = entries(resource, row, cdnOf(input, data), input, data)
      mustSee(row, input.user, data)
      if (shown.length === 0 && row.deliveryServices.length > 0) throw noSuch('federation', row.id)
      return { response: shown.length > 0 ? shown : [shape(resource, row, input, data)] }
    },
  }),
  ofCdn(create(all, { role: 'admin', text: said('created'), log: said('created') })),
  ofCdn(update(single, { role: 'admin', reach: 'tenants', text: said('updated'), log: said('updated') })),
  ofCdn(remove(single, { role: 'admin', reach: 'tenants', text: said('deleted'), log: said('deleted') })),
]

/** The field's portal names it by its id. */
function cdnOf({ params }: RequestInput, data: Data): Records['cdns'] {
  const cdn = data.get('cdns', subjectOf('cdns', params.name, data))
  if (!cdn) throw noSuch('cdn', params.name ?? '')
  return cdn
}

type Write = Extract<Endpoint, { write: unknown }>

/** The CDN in the path must be there, and what is changed within the caller's tenants. */
function ofCdn(route: (resource: Resource) => Write): (resource: Resource) => Write {
  return (resource) => {
    const plain = route(resource)
    const mustReach = (input: RequestInput, data: Data): void => {
      cdnOf(input, data)
      if (input.params.id) mustChange(byPathId(data, 'federations', 'federation', input), input.user, data)
    }
    return {
      ...plain,
      ...(plain.subject && {
        subject: (input, data) => {
          mustReach(input, data)
          return plain.subject!(input, data)
        },
      }),
      write: (input, transaction) => {
        mustReach(input, transaction.data)
        return plain.write(input, transaction)
      },
    }
  }
}

const shape = (resource: Resource, row: Records['federations'], { version, user }: RequestInput, data: Data): object =>
  present(resource, row as Row, { data, version, user })

/** One entry per delivery service of the CDN. */
function entries(
  resource: Resource,
  row: Records['federations'],
  cdn: Records['cdns'],
  input: RequestInput,
  data: Data,
): object[] {
  return row.deliveryServices
    .map((id) => data.get('deliveryServices', id)!)
    .filter(({ cdnId, tenantId }) => cdnId === cdn.id && reachesTenant(data, input.user, tenantId))
    .map(({ id, xmlId }) => ({ ...shape(resource, row, input, data), deliveryService: { id, xmlId } }))
}
