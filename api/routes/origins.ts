import { badRequest } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import type { RequestInput } from '../operations/endpoint.js'
import { originUrl } from '../records/kinds/primaryOrigin.js'
import type { Values } from '../records/recordBody.js'
import type { Origin } from '../schema/kinds/origins.js'
import { mustReachTenant } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'
import type { Asked, ValuesOf } from './crud/accepting.js'
import { list } from './crud/readRoutes.js'
import type { JoinedRow } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

const filters = {
  cachegroup: 'cachegroupId',
  coordinate: 'coordinateId',
  deliveryservice: 'deliveryServiceId',
  profileId: 'profileId',
  primary: 'isPrimary',
  isPrimary: 'isPrimary',
  tenant: 'tenantId',
}

const zoned = (row: JoinedRow<Records['origins']>) => ({ ...row, lastUpdated: `${row.lastUpdated}+00` })

const change = { role: 'oper', allow: reachesService, after: told } as const

const removal = { role: 'oper', allow: notPrimary, text: () => 'origin was deleted.' } as const

export default defineResource('origins', {
  // interface.md gives origins native types and zoned times in every version.
  present: { '1.1': zoned },
  writeResponse: zoned,
  routes: [
    list('/origins', { role: 'any', filters }),
    create<'origins'>('/origins', { ...change, prepare: placed }),
    update<'origins'>('/origins', change),
    remove<'origins'>('/origin', removal),
    remove<'origins'>('/origins', removal),
  ],
})

function placed(values: ValuesOf<'origins'>, { transaction: { data, user } }: Asked<'origins'>): ValuesOf<'origins'> {
  const service = data.get('deliveryServices', values.deliveryServiceId ?? null)
  return { ...values, tenantId: values.tenantId ?? service?.tenantId ?? user.tenantId }
}

function reachesService(
  { user }: RequestInput,
  { data }: Transaction,
  before: Origin | null,
  values: ValuesOf<'origins'>,
): void {
  for (const id of [before?.deliveryServiceId, values.deliveryServiceId]) {
    const service = data.get('deliveryServices', id ?? null)
    if (service) mustReachTenant(data, user, service.tenantId)
  }
}

/** The delivery service names its primary origin, too. */
function told(origin: Origin, _stated: Values, transaction: Transaction): void {
  if (origin.isPrimary)
    transaction.update('deliveryServices', origin.deliveryServiceId, { orgServerFqdn: originUrl(origin) })
}

function notPrimary(_asked: RequestInput, _plan: Transaction, before: Origin | null): void {
  if (before?.isPrimary) throw badRequest('cannot delete a primary origin')
}
