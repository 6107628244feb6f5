import { defineResource } from '../resource/define.js'
import { text } from '../resource/fields.js'

export const fields = {
  /** The key document byte for byte, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

/** The URI signing document of a delivery service, under its id. */
export default defineResource({
  kind: 'uriSigningKeys',
  label: 'uri signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
  routes: [],
})
