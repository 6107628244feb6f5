import { defineKind } from '../defineKind.js'
import { flag, moment, optional, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  /** Origin and path pattern: what is revalidated. */
  assetUrl: text({ max: 4096, pattern: '^\\S+$' }),
  keyword: text({ fallback: 'PURGE' }),
  /** `TTL:<hours>h` */
  parameters: text({ pattern: '^TTL:[0-9]{1,6}h$' }),
  startTime: moment(),
  /** Cleared once the rule has run out. */
  active: flag({ fallback: true }),
  enteredTime: optional(moment()),
  createdBy: optional(text()),
}

export default defineKind({
  kind: 'jobs',
  label: 'job',
  key: null,
  fields,
})
