import { defineBehaviour } from '../defineBehaviour.js'

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

export default defineBehaviour('types', {
  // What has a type is known by its name: a pattern of a type called otherwise is no host's any more.
  defines: ['name'],
  *rules({ before, after, data }) {
    if (!before || before.useInTable === after.useInTable) return
    for (const { kind, field } of typed) {
      if (data.has(kind, field, after.id)) {
        yield { path: 'useInTable', text: `useInTable: the type is in use by ${kind}` }
      }
    }
  },
})
