import { Type } from '@sinclair/typebox'
import { defineResource } from '../crud/resource.js'
import { extensionRoutes } from './extensionRoutes.js'

export default defineResource('extensions', {
  shown: { type: Type.String(), typeId: null, typeName: null },
  present: {
    '1.1': (row) => ({ ...shape(row), id: String(row.id), isactive: row.isactive ? '1' : '0' }),
    '1.3': shape,
  },
  routes: extensionRoutes,
})

function shape<R extends { typeId: unknown; typeName?: unknown }>({ typeId: _, typeName, ...row }: R) {
  return { ...row, type: typeName }
}
