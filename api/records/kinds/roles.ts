import type { Fault } from '../../config/errors.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/roles.js'
import type { Caller } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'

type Role = RecordOf<typeof fields>

export default defineBehaviour('roles', {
  rules,
  deleteGuard: keeps,
})

/** Nobody makes, changes or takes away a role above their own. */
function* rules({ before, after, user }: { before: Role | null; after: Role; user: Caller }): Iterable<Fault> {
  const refusal = `cannot exceed current user's privilege level (${user.privLevel})`
  if (before && before.privLevel > user.privLevel) {
    yield { path: '', text: `Forbidden. The role ${refusal}.`, status: 403 }
  }
  if (before?.privLevel !== after.privLevel && after.privLevel > user.privLevel) {
    yield { path: 'privLevel', text: `privLevel ${refusal}` }
  }
}

function* keeps({ privLevel }: Role, { user }: { user: Caller }): Iterable<Fault> {
  if (privLevel <= user.privLevel) return
  const text = `Forbidden. The role cannot exceed current user's privilege level (${user.privLevel}).`
  yield { path: '', text, status: 403 }
}
