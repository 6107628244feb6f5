import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { rootTenant } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('statsSummaries', {
  about: (summary, data) => [tenantOfSummary(summary, data)],
})

/** That of the delivery service it is about; of one that is not there (any more) the root's, of all of them nobody's. */
export function tenantOfSummary({ deliveryServiceName }: { deliveryServiceName: string }, data: Data): number | null {
  if (deliveryServiceName === 'all') return null
  const service = findOne(data, 'deliveryServices', 'xmlId', deliveryServiceName)
  return service ? service.tenantId : rootTenant(data)
}
