import { defineResource } from '../resource/define.js'
import { decimal, moment, text } from '../resource/fields.js'

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
  routes: [],
})
