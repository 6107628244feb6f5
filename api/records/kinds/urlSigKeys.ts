import { text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

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
