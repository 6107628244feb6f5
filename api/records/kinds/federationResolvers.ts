import { isIPv4 } from 'node:net'
import { create, list, remove } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import { type RecordOf, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'
import { typeOf } from '../rules.js'
import { seesResolver } from './federationReach.js'

export const fields = {
  ipAddress: text({ unique: true, max: 43, format: 'ip-cidr' }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
}

type Resolver = RecordOf<typeof fields>

/** Addresses of resolvers whose clients belong to a federation. */
export default defineResource({
  kind: 'federationResolvers',
  label: 'federation resolver',
  key: 'ipAddress',
  fields,
  rules,
  legacy: { numbers: ['id'] },
  present: {
    '1.1': ({ id, ipAddress, type }) => ({ id, ipAddress, type }),
  },
  written: ({ id, ipAddress, typeId }) => ({ id, ipAddress, typeId }),
  routes: [
    list('/federation_resolvers', {
      role: 'any',
      reach: 'tenants',
      seen: ({ id }, data, user) => seesResolver(id, user, data),
      filters: {
        type: (rows, name, data) => rows.filter((row) => data.get('types', row.typeId as number)?.name === name),
      },
    }),
    create('/federation_resolvers', {
      role: 'admin',
      text: ({ ipAddress, id }) => `Federation Resolver created [ IP = ${ipAddress} ] with id: ${id}`,
    }),
    remove('/federation_resolvers/:id', {
      role: 'admin',
      text: ({ ipAddress, id }) => `Federation resolver deleted [ IP = ${ipAddress} ] with id: ${id}`,
    }),
  ],
})

function* rules({ after, data }: { after: Resolver; data: Data }) {
  yield* typeOf('federation', after, data)
  const type = data.get('types', after.typeId)?.name
  const family = isIPv4(after.ipAddress.split('/')[0] ?? '') ? 'RESOLVE4' : 'RESOLVE6'
  if ((type === 'RESOLVE4' || type === 'RESOLVE6') && type !== family) {
    yield { path: 'ipAddress', text: `ipAddress must be an IPv${type.at(-1)} address for the type ${type}` }
  }
}
