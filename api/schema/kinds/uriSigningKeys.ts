import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = {
  /** The key document byte for byte, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

export default defineKind({
  kind: 'uriSigningKeys',
  label: 'uri signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
})
