import { defineResource } from '../resource/define.js'
import { text } from '../resource/fields.js'

export const fields = {
  /** The keys of the CDN and its delivery services as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

/** The DNSSEC keys of a CDN and of its delivery services, under the id of the CDN. */
export default defineResource({
  kind: 'dnssecKeys',
  label: 'dnssec keys',
  key: null,
  idRefersTo: 'cdns',
  fields,
  routes: [],
})
