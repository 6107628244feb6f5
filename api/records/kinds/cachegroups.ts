import { legacy } from '../../routes/crud/present.js'
import { create, list, read, remove, trimmed, update } from '../../routes/crud/routes.js'
import { parameterRoutes } from '../../routes/parameters/cachegroupParameterRoutes.js'
import { queueCachegroup } from '../../routes/servers/queueUpdateRoutes.js'
import type { Data } from '../../schema/data.js'
import { flag, identifier, latitude, longitude, optional, type RecordOf, ref, texts } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'
import { loops, typeOf } from '../rules.js'

export const fields = {
  name: identifier({ unique: true }),
  shortName: identifier({ unique: true }),
  typeId: ref('types', { as: ['typeName', 'type'] }),
  latitude: optional(latitude()),
  longitude: optional(longitude()),
  parentCachegroupId: optional(ref('cachegroups', { as: ['parentCachegroupName', 'parentCachegroup'] })),
  secondaryParentCachegroupId: optional(
    ref('cachegroups', { as: ['secondaryParentCachegroupName', 'secondaryParentCachegroup'] }),
  ),
  /** What routers do when none of the configured fallbacks is available. */
  fallbackToClosest: flag({ fallback: true }),
  /** How clients may be found to belong here; empty: every way. */
  localizationMethods: texts({ pattern: '^(CZ|DEEP_CZ|GEO)$', max: 3 }),
}

type Cachegroup = RecordOf<typeof fields>

const plain = { legacy: {} }
const only11 = { omit: ['fallbackToClosest', 'localizationMethods'] }

export default defineResource({
  kind: 'cachegroups',
  label: 'cachegroup',
  key: 'name',
  fields,
  rules,
  present: {
    '1.1': (row) => legacy({ legacy: only11 }, row, true),
    '1.2': (row) => legacy(plain, row, true),
  },
  written: (row) => ({
    ...row,
    parentCachegroup: row.parentCachegroupName,
    secondaryParentCachegroup: row.secondaryParentCachegroupName,
  }),
  routes: [
    list('/cachegroups', { role: 'any', filters: { type: 'typeId', typeId: 'typeId', shortName: 'shortName' } }),
    trimmed('/cachegroups/trimmed', { role: 'any' }),
    read('/cachegroups/:id', { role: 'any' }),
    create('/cachegroups', { role: 'oper', text: ({ name }) => `Cachegroup successfully created: ${name}` }),
    update('/cachegroups/:id', { role: 'oper', text: ({ name }) => `Cachegroup was updated: ${name}` }),
    remove('/cachegroups/:id', { role: 'oper', text: ({ name }) => `Cachegroup was deleted: ${name}` }),
    ...parameterRoutes,
    queueCachegroup,
  ],
})

function* rules({ after, data }: { after: Cachegroup; data: Data }) {
  yield* typeOf('cachegroup', after, data)
  const parentOf = (id: number) => data.get('cachegroups', id)?.parentCachegroupId ?? null
  if (loops(after.id, after.parentCachegroupId, parentOf)) {
    const path = 'parentCachegroupId'
    yield { path, text: `${path}: a cache group cannot be a parent of itself` }
  }
  if (after.secondaryParentCachegroupId === after.id) {
    const path = 'secondaryParentCachegroupId'
    yield { path, text: `${path}: a cache group cannot be a parent of itself` }
  }
}
