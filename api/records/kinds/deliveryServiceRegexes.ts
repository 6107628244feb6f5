import { Type } from '@sinclair/typebox'
import { regexRoutes } from '../../routes/deliveryServices/regexRoutes.js'
import type { Data } from '../../schema/data.js'
import { integer, type RecordOf, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'
import { typeOf } from '../rules.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  typeId: ref('types', { as: ['typeName'], also: ['type'] }),
  pattern: text({ max: 1024, pattern: '^\\S+$' }),
  /** Evaluation order within the delivery service. */
  setNumber: integer({ max: 1_000_000 }),
}

type Regex = RecordOf<typeof fields>

export default defineResource({
  kind: 'deliveryServiceRegexes',
  label: 'delivery service regex',
  key: null,
  fields,
  rules,
  tenant: (regex, data) => data.get('deliveryServices', regex.deliveryServiceId)?.tenantId ?? null,
  shown: { type: Type.Integer(), typeId: null },
  present: {
    '1.1': ({ id, typeId, typeName, pattern, setNumber }) => ({
      id: String(id),
      type: String(typeId),
      typeName,
      pattern,
      setNumber: String(setNumber),
    }),
    '1.3': ({ typeId, ...regex }) => ({ ...regex, type: typeId }),
  },
  written: ({ id, typeId, typeName, pattern, setNumber }) => ({ id, type: typeId, typeName, pattern, setNumber }),
  routes: regexRoutes,
})

function* rules({ after, data }: { after: Regex; data: Data }) {
  yield* typeOf('regex', after, data)
  try {
    new RegExp(after.pattern)
  } catch {
    yield { path: 'pattern', text: 'pattern is not a regular expression' }
  }
}
