import { defineResource } from '../resource/define.js'
import { text } from '../resource/fields.js'

export const fields = {
  /** `{key0: …}` as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

/** The keys that sign the URLs of a delivery service, under its id. */
export default defineResource({
  kind: 'urlSigKeys',
  label: 'url signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
  routes: [],
})
