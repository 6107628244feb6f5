import { ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  serverId: ref('servers', { as: ['serverHostName', 'server'], onDelete: 'cascade' }),
  description: text(),
  val: text({ max: 4096 }),
}

/** What machines report about their hardware. */
export default defineResource({
  kind: 'hwinfo',
  label: 'hwinfo',
  key: null,
  fields,
  unique: [['serverId', 'description']],
  transient: true,
  routes: [],
})
