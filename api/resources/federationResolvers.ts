import { defineResource } from '../resource/define.js'
import { ref, text } from '../resource/fields.js'
import { typeOf } from '../resource/rules.js'

export const fields = {
  ipAddress: text({ unique: true, max: 43, format: 'ip-cidr' }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
}

/** Resolvers whose clients belong to a federation. */
export default defineResource({
  kind: 'federationResolvers',
  label: 'federation resolver',
  key: 'ipAddress',
  fields,
  rules: ({ after, data }) => typeOf('federation', after, data),
  routes: [],
})
