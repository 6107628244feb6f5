import type { RequestInput } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import { mustReachTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { byPathId } from '../crud/ids.js'

/** The delivery service a path names by id, within the caller's tenants. */
export function reachedService(input: RequestInput, data: Data, param = 'id'): Records['deliveryServices'] {
  const service = byPathId(data, 'deliveryServices', 'deliveryservice', input, param)
  mustReachTenant(data, input.user, service.tenantId)
  return service
}
