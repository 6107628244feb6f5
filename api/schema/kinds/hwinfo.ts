import { defineKind } from '../defineKind.js'
import { ref, text } from '../fields.js'

export const fields = {
  serverId: ref('servers', { nameAliases: ['serverHostName', 'server'], onDelete: 'cascade' }),
  description: text(),
  val: text({ max: 4096 }),
}

export default defineKind({
  kind: 'hwinfo',
  description: 'One particular of a server’s hardware.',
  label: 'hwinfo',
  key: null,
  fields,
  unique: [['serverId', 'description']],
  transient: true,
})
