import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/cachegroups.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { loops, typeOf } from '../rules.js'

export type Cachegroup = RecordOf<typeof fields>

export default defineBehaviour('cachegroups', {
  rules: [({ after, data }) => typeOf('cachegroup', after, data), parents, secondParent],
})

function* parents({ after, data }: { after: Cachegroup; data: Data }) {
  const parentOf = (id: number) => data.get('cachegroups', id)?.parentCachegroupId ?? null
  if (loops(after.id, after.parentCachegroupId, parentOf)) {
    const path = 'parentCachegroupId'
    yield { path, text: `${path}: a cache group cannot be a parent of itself` }
  }
}

function* secondParent({ after }: { after: Cachegroup }) {
  if (after.secondaryParentCachegroupId === after.id) {
    const path = 'secondaryParentCachegroupId'
    yield { path, text: `${path}: a cache group cannot be a parent of itself` }
  }
}
