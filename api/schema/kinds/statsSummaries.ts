import { defineKind } from '../defineKind.js'
import { decimal, moment, text } from '../fields.js'

/** The statistics daemon sends the day alone. */
const wholeDay = (given: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given} 00:00:00` : given)

export const fields = {
  cdnName: text({ default: 'all' }),
  deliveryServiceName: text({ default: 'all' }),
  statName: text(),
  statValue: decimal(),
  summaryTime: moment(),
  statDate: moment({ normalize: wholeDay }),
}

export default defineKind({
  kind: 'statsSummaries',
  description: 'A statistic of a day.',
  label: 'stats summary',
  key: null,
  fields,
})
