import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = {
  sealed: text({
    max: 1_048_576,
    hidden: true,
    description: 'The key document byte for byte, sealed with the vault key.',
  }),
}

export default defineKind({
  kind: 'uriSigningKeys',
  description: 'The keys by which the URIs of a delivery service are signed.',
  label: 'uri signing keys',
  key: null,
  idRefersTo: 'deliveryServices',
  fields,
})
