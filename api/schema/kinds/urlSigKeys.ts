import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = {
  sealed: text({ max: 1_048_576, hidden: true, description: '`{key0: …}` as JSON text, sealed with the vault key.' }),
}

export default defineKind({
  kind: 'urlSigKeys',
  description: 'The keys by which the URLs of a delivery service are signed.',
  label: 'url signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
})
