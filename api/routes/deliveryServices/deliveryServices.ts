import { Type } from '@sinclair/typebox'
import { list, read } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'
import { assignmentRoutes } from './assignmentRoutes.js'
import { carriedList } from './carriedListRoute.js'
import { carryingRoutes } from './carryingRoutes.js'
import { shape11, shape12, shape13, written } from './deliveryServiceShapes.js'
import { filters, lacking, prepared, safeUpdate } from './deliveryServiceWrites.js'
import { matches } from './matchesRoute.js'

const signed = { signed: Type.Boolean({ description: 'Instead of signingAlgorithm: true is url_sig.' }) }

export default defineResource('deliveryServices', {
  shown: {
    profileDescription: Type.Union([Type.String(), Type.Null()]),
    geoLimitRedirectUrl: Type.Union([Type.String(), Type.Null()]),
    signed: Type.Boolean(),
    exampleURLs: Type.Array(Type.String()),
    matchList: Type.Array(Type.Object({ type: Type.String(), setNumber: Type.Integer(), pattern: Type.String() })),
  },
  present: { '1.1': shape11, '1.2': shape12, '1.3': shape13 },
  writeResponse: written,
  routes: [
    list('/deliveryservices', { role: 'any', filters }),
    read('/deliveryservices/:id', { role: 'any' }),
    create<'deliveryServices'>('/deliveryservices', {
      role: 'oper',
      array: true,
      more: signed,
      prepare: prepared,
      lacking,
      text: () => 'Deliveryservice creation was successful.',
    }),
    update<'deliveryServices'>('/deliveryservices/:id', {
      role: 'oper',
      array: true,
      more: signed,
      prepare: prepared,
      lacking,
      text: () => 'Deliveryservice update was successful.',
    }),
    safeUpdate,
    remove('/deliveryservices/:id', { role: 'oper', text: () => 'Delivery service was deleted.' }),
    ...carryingRoutes,
    carriedList,
    matches,
    ...assignmentRoutes,
  ],
})
