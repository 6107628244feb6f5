import { type Data, one } from '../../schema/data.js'
import { decimal, moment, text } from '../../schema/fields.js'
import { rootTenant } from '../../schema/privileges.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  cdnName: text({ fallback: 'all' }),
  deliveryServiceName: text({ fallback: 'all' }),
  statName: text(),
  statValue: decimal(),
  summaryTime: moment(),
  statDate: moment(),
}

/** A statistic of one day, as the statistics daemon sums it up. */
export default defineResource({
  kind: 'statsSummaries',
  label: 'stats summary',
  key: null,
  fields,
  about: (summary, data) => [tenantOfSummary(summary, data)],
  routes: [],
})

/** That of the delivery service it is about; of one that is not there (any more) the root's, of all of them nobody's. */
export function tenantOfSummary({ deliveryServiceName }: { deliveryServiceName: string }, data: Data): number | null {
  if (deliveryServiceName === 'all') return null
  const service = one(data, 'deliveryServices', 'xmlId', deliveryServiceName)
  return service ? service.tenantId : rootTenant(data)
}
