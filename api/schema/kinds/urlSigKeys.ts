import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = {
  /** `{key0: …}` as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

export default defineKind({
  kind: 'urlSigKeys',
  label: 'url signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
})
