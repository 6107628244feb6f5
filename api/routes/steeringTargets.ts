import { noSuch } from '../config/errors.js'
import type { Endpoint, RequestInput, WriteEndpoint } from '../operations/endpoint.js'
import { listQuery } from '../operations/queryParameters.js'
import type { Data } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Records } from '../schema/records.js'
import { sortAndPage } from './crud/lists.js'
import { present } from './crud/present.js'
import type { JoinedRow, Resource } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'
import { reachedService } from './deliveryServices/reachedService.js'

const all = '/steering/:dsId/targets'

const one = '/steering/:dsId/targets/:targetId'

export default defineResource('steeringTargets', {
  shown: { id: null, lastUpdated: null },
  present: {
    '1.1': (row) => ({
      ...native(row),
      deliveryServiceId: String(row.deliveryServiceId),
      targetId: String(row.targetId),
      typeId: String(row.typeId),
    }),
    '1.3': native,
  },
  writeResponse: native,
  routes: [
    (resource) => reading(resource, all),
    (resource) => reading(resource, one),
    create(all, {
      role: 'portal',
      given: { deliveryServiceId: (input, data) => serviceOf(input, data).id },
      text: () => 'Delivery service target creation was successful.',
    }),
    (resource) =>
      named(
        update(one, {
          role: 'portal',
          given: {
            deliveryServiceId: ({ params }) => Number(params.dsId),
            targetId: ({ params }) => Number(params.targetId),
          },
          text: () => 'Delivery service steering target update was successful.',
        })(resource),
      ),
    (resource) =>
      named(remove(one, { role: 'portal', text: () => 'Delivery service target delete was successful.' })(resource)),
  ],
})

function native({
  deliveryService,
  deliveryServiceId,
  target,
  targetId,
  type,
  typeId,
  value,
}: JoinedRow<Records['steeringTargets']>) {
  return { deliveryService, deliveryServiceId, target, targetId, type, typeId, value }
}

const serviceOf = (input: RequestInput, data: Data) => reachedService(input, data, 'dsId')

function reading(resource: Resource, path: string): Endpoint {
  return {
    method: 'GET',
    path,
    role: 'any',
    reach: 'tenants',
    summary: 'Where a delivery service steers to',
    query: listQuery,
    read: (input, data) => {
      const { version, user, query, params } = input
      const rows = data.by('steeringTargets', 'deliveryServiceId', serviceOf(input, data).id)
      const chosen = rows.filter(({ targetId }) => path === all || String(targetId) === params.targetId)
      if (path === one && chosen.length === 0) throw noSuch('steeringtarget', params.targetId ?? '')
      const sorted = sortAndPage(chosen as readonly Row[], query, 'targetId')
      return { response: sorted.map((row) => present(resource, row, { data, version, user })) }
    },
  }
}

/** A target has no id of its own in the paths: the pair names it. */
function named(route: WriteEndpoint): WriteEndpoint {
  const withId = (input: RequestInput, data: Data): RequestInput => {
    const { id } = serviceOf(input, data)
    const { targetId = '' } = input.params
    const [found] = data.ids('steeringTargets', 'deliveryServiceId+targetId', JSON.stringify([id, Number(targetId)]))
    if (found === undefined) throw noSuch('steeringtarget', targetId)
    return { ...input, params: { ...input.params, id: String(found) } }
  }
  return {
    ...route,
    ...(route.subject && { subject: (input, data) => route.subject!(withId(input, data), data) }),
    write: (input, transaction) => route.write(withId(input, transaction.data), transaction),
  }
}
