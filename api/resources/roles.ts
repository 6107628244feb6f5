import { Type } from '@sinclair/typebox'
import type { Asked } from '../endpoint.js'
import { forbidden, invalid } from '../errors.js'
import type { Plan } from '../plan.js'
import { defineResource, type Row } from '../resource/define.js'
import { integer, refs, text } from '../resource/fields.js'
import { create, list, remove, update } from '../resource/routes.js'

export const fields = {
  name: text({ unique: true }),
  description: text({ max: 1024 }),
  /** 0 cannot log in, 10 reads, 11 cache agent, 15 portal, 20 operations, 30 administrator. */
  privLevel: integer({ max: 100 }),
  capabilities: refs('capabilities', { as: ['capabilityNames'], onDelete: 'restrict' }),
}

export default defineResource({
  kind: 'roles',
  label: 'role',
  key: 'name',
  fields,
  legacy: { numbers: ['privLevel'], omit: ['capabilities', 'capabilityNames'] },
  shown: { capabilities: Type.Array(Type.String()), capabilityNames: null },
  present: {
    '1.3': ({ capabilityNames, ...role }) => ({ ...role, capabilities: capabilityNames }),
  },
  routes: [
    list('/roles', { role: 'any', filters: { privLevel: 'privLevel' } }),
    create('/roles', { role: 'admin', reach: 'root', allow: withinOwnLevel }),
    update('/roles', { role: 'admin', reach: 'root', allow: withinOwnLevel }),
    remove('/roles', { role: 'admin', reach: 'root', allow: withinOwnLevel }),
  ],
})

/** Nobody makes, changes or takes away a role above their own. */
function withinOwnLevel({ user }: Asked, _plan: Plan, before: Row | null, values: Record<string, unknown>): void {
  const refusal = `cannot exceed current user's privilege level (${user.privLevel})`
  if (before && (before.privLevel as number) > user.privLevel) throw forbidden(`Forbidden. The role ${refusal}.`)
  if (typeof values.privLevel === 'number' && values.privLevel > user.privLevel) {
    throw invalid([{ path: 'privLevel', text: `privLevel ${refusal}` }])
  }
}
