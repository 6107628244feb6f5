import { create, list, read, remove, trimmed, update } from '../../routes/crud/routes.js'
import { oneOf, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

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

export default defineResource({
  kind: 'types',
  label: 'type',
  key: 'name',
  fields,
  *rules({ before, after, data }) {
    if (!before || before.useInTable === after.useInTable) return
    for (const { kind, field } of typed) {
      if (data.has(kind, field, after.id)) {
        yield { path: 'useInTable', text: `useInTable: the type is in use by ${kind}` }
      }
    }
  },
  routes: [
    list('/types', { role: 'any', filters: { useInTable: 'useInTable' } }),
    trimmed('/types/trimmed', { role: 'any' }),
    read('/types/:id', { role: 'any' }),
    create('/types', { role: 'oper' }),
    update('/types/:id', { role: 'oper' }),
    remove('/types/:id', { role: 'oper' }),
  ],
})

/** Who has a type; its table must not change under them. */
const typed = [
  { kind: 'servers', field: 'typeId' },
  { kind: 'cachegroups', field: 'typeId' },
  { kind: 'deliveryServices', field: 'typeId' },
  { kind: 'deliveryServiceRegexes', field: 'typeId' },
  { kind: 'extensions', field: 'typeId' },
  { kind: 'federationResolvers', field: 'typeId' },
  { kind: 'staticDnsEntries', field: 'typeId' },
  { kind: 'steeringTargets', field: 'typeId' },
] as const
