import { text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

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
