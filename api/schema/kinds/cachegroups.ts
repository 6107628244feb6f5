import { defineKind } from '../defineKind.js'
import { flag, identifier, latitude, longitude, optional, ref, texts } from '../fields.js'

export const fields = {
  name: identifier({ unique: true }),
  shortName: identifier({ unique: true }),
  typeId: ref('types', { nameAliases: ['typeName', 'type'] }),
  latitude: optional(latitude()),
  longitude: optional(longitude()),
  parentCachegroupId: optional(ref('cachegroups', { nameAliases: ['parentCachegroupName', 'parentCachegroup'] })),
  secondaryParentCachegroupId: optional(
    ref('cachegroups', { nameAliases: ['secondaryParentCachegroupName', 'secondaryParentCachegroup'] }),
  ),
  fallbackToClosest: flag({
    default: true,
    since: '1.2',
    description: 'What routers do when none of the configured fallbacks is available.',
  }),
  localizationMethods: texts({
    pattern: '^(CZ|DEEP_CZ|GEO)$',
    form: 'CZ, DEEP_CZ or GEO',
    max: 3,
    since: '1.2',
    description: 'How clients may be found to belong here; empty: every way.',
  }),
}

export default defineKind({
  kind: 'cachegroups',
  description: 'Caches in one place: where they are, and which cache groups they ask when they do not have something.',
  label: 'cachegroup',
  key: 'name',
  fields,
})
