import { Type } from '@sinclair/typebox'
import { reachesTenant } from '../../schema/privileges.js'
import { sortAndPage } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import { regexesOf } from './regexRoutes.js'

/** What the names of active delivery services begin with. */
export const matches = reading(
  '/deliveryservice_matches',
  'Host name parts of active delivery services',
  Type.Array(Type.Object({ dsName: Type.String(), patterns: Type.Array(Type.String()) })),
  ({ user, query }, data) => {
    const entries = data
      .all('deliveryServices')
      .filter(({ active, tenantId }) => active && reachesTenant(data, user, tenantId))
      .map(({ id, xmlId }) => ({
        dsName: xmlId.replaceAll('-', '_'),
        patterns: regexesOf(id, data).map(({ pattern }) => pattern.replaceAll('\\', '').replaceAll('.*', '')),
      }))
    return sortAndPage(entries, query, 'dsName')
  },
  'tenants',
)
