import { seesResolver } from '../../records/kinds/federationReach.js'
import { list } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove } from '../crud/routes.js'

export default defineResource('federationResolvers', {
  legacy: { numbers: ['id'] },
  present: {
    '1.1': ({ id, ipAddress, type }) => ({ id, ipAddress, type }),
  },
  writeResponse: ({ id, ipAddress, typeId }) => ({ id, ipAddress, typeId }),
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
