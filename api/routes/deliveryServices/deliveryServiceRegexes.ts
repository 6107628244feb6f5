import { Type } from '@sinclair/typebox'
import { defineResource } from '../crud/resource.js'
import { regexRoutes } from './regexRoutes.js'

export default defineResource('deliveryServiceRegexes', {
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
  writeResponse: ({ id, typeId, typeName, pattern, setNumber }) => ({ id, type: typeId, typeName, pattern, setNumber }),
  routes: regexRoutes,
})
