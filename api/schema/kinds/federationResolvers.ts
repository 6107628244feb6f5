import { defineKind } from '../defineKind.js'
import { ref, text } from '../fields.js'

export const fields = {
  ipAddress: text({ unique: true, max: 43, format: 'ip-cidr' }),
  typeId: ref('types', { nameAliases: ['type', 'typeName'] }),
}

export default defineKind({
  kind: 'federationResolvers',
  description: 'The address of a resolver whose clients a federation is for.',
  label: 'federation resolver',
  key: 'ipAddress',
  fields,
})
