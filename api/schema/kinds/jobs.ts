import { defineKind } from '../defineKind.js'
import { flag, moment, optional, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { nameAliases: ['deliveryService'], onDelete: 'cascade' }),
  assetUrl: text({
    max: 4096,
    pattern: '^\\S+$',
    form: 'a URL without spaces',
    description: 'Origin and path pattern: what is revalidated.',
  }),
  keyword: text({ default: 'PURGE' }),
  parameters: text({ pattern: '^TTL:[0-9]{1,6}h$', form: 'TTL:<hours>h', description: '`TTL:<hours>h`' }),
  startTime: moment(),
  active: flag({ default: true, description: 'Cleared once the rule has run out.' }),
  enteredTime: optional(moment()),
  createdBy: optional(text()),
}

export default defineKind({
  kind: 'jobs',
  description: 'A rule by which caches revalidate content of a delivery service.',
  label: 'job',
  key: null,
  fields,
})
