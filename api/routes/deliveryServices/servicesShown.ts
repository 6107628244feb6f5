import type { RequestInput } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { reachesTenant } from '../../schema/privileges.js'
import { sortAndPage, unseenIn } from '../crud/lists.js'
import { present } from '../crud/present.js'
import type { Resource } from '../crud/resource.js'

/** Delivery services by their ids, as the list shows them to the caller; in 1.1, too, in the 1.2 shape. */
export function servicesShown(
  deliveryServices: Resource,
  ids: readonly number[],
  { version, user, query }: RequestInput,
  data: Data,
): object[] {
  const rows = ids
    .map((id) => data.get('deliveryServices', id)!)
    .filter(({ tenantId }) => reachesTenant(data, user, tenantId))
  const shown = version === '1.1' ? '1.2' : version
  const context = { data, version: shown, user }
  const unseen = unseenIn(shown, deliveryServices)
  return sortAndPage(rows as readonly Row[], query, 'xmlId', unseen).map((row) =>
    present(deliveryServices, row, context),
  )
}
