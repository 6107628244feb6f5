import { defineKind } from '../defineKind.js'
import { decimal, integer, moment, text } from '../fields.js'

/** The statistics daemon sends the day alone. */
const wholeDay = (given: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given} 00:00:00` : given)

export const fields = {
  cdnName: text({ default: 'all' }),
  deliveryServiceName: text({ default: 'all' }),
  statName: text(),
  statValue: decimal(),
  decimals: integer({
    description: 'How many decimals the value was written with, which 1.1 and 1.2 show it with: 54.00.',
    max: 15,
    default: 0,
    hidden: true,
    readOnly: true,
  }),
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
