import { defineKind } from '../defineKind.js'
import { decimal, moment, text } from '../fields.js'

export const fields = {
  cdnName: text({ default: 'all' }),
  deliveryServiceName: text({ default: 'all' }),
  statName: text(),
  statValue: decimal(),
  summaryTime: moment(),
  statDate: moment(),
}

export default defineKind({
  kind: 'statsSummaries',
  description: 'A statistic of a day.',
  label: 'stats summary',
  key: null,
  fields,
})
