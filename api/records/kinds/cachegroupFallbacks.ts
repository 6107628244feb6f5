import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/cachegroupFallbacks.js'
import { defineBehaviour } from '../defineBehaviour.js'

export type Fallback = RecordOf<typeof fields>

export const path = '/cachegroup_fallbacks'

export default defineBehaviour('cachegroupFallbacks', {
  rules,
})

function* rules({ after, data }: { after: Fallback; data: Data }) {
  for (const field of ['cacheGroupId', 'fallbackId'] as const) {
    const group = data.get('cachegroups', after[field])
    if (group && data.get('types', group.typeId)?.name !== 'EDGE_LOC') {
      yield { path: field, text: `${field}: cachegroup is not of type EDGE_LOC` }
    }
  }
  if (after.cacheGroupId === after.fallbackId) {
    yield { path: 'fallbackId', text: 'fallbackId: a cache group cannot be its own fallback' }
  }
}
