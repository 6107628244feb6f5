import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { create, list, remove, update } from '../../routes/crud/routes.js'
import { integer, type RecordOf, refs, text } from '../../schema/fields.js'
import type { Caller } from '../../schema/privileges.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  name: text({ unique: true }),
  description: text({ max: 1024 }),
  /** 0 cannot log in, 10 reads, 11 cache agent, 15 portal, 20 operations, 30 administrator. */
  privLevel: integer({ max: 100 }),
  capabilities: refs('capabilities', { as: ['capabilityNames'], onDelete: 'restrict' }),
}

type Role = RecordOf<typeof fields>

export default defineResource({
  kind: 'roles',
  label: 'role',
  key: 'name',
  fields,
  rules,
  keeps,
  legacy: { numbers: ['privLevel'], omit: ['capabilities', 'capabilityNames'] },
  shown: { capabilities: Type.Array(Type.String()), capabilityNames: null },
  present: {
    '1.3': ({ capabilityNames, ...role }) => ({ ...role, capabilities: capabilityNames }),
  },
  routes: [
    list('/roles', { role: 'any', filters: { privLevel: 'privLevel' } }),
    create('/roles', { role: 'admin', reach: 'root' }),
    update('/roles', { role: 'admin', reach: 'root' }),
    remove('/roles', { role: 'admin', reach: 'root' }),
  ],
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
