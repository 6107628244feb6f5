import { defineKind } from '../defineKind.js'
import { oneOf, text } from '../fields.js'

/** The tables whose records have a type (beyond.md §1.4). */
const tables = [
  'deliveryservice',
  'server',
  'cachegroup',
  'regex',
  'to_extension',
  'federation',
  'staticdnsentry',
  'steering_target',
] as const

export const fields = {
  name: text({ unique: true, pattern: '^[A-Za-z0-9._-]+$' }),
  description: text({ max: 1024 }),
  useInTable: oneOf(tables),
}

export default defineKind({
  kind: 'types',
  description: 'What kind of server, delivery service, cache group or other record something is.',
  label: 'type',
  key: 'name',
  fields,
})
