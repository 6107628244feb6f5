import { numberQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Caller } from '../../schema/privileges.js'
import { reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import type { Filters } from '../crud/filters.js'

/** Delivery service types whose edges go to the origin by themselves. */
const withoutMids = new Set(['HTTP_NO_CACHE', 'HTTP_LIVE', 'DNS_LIVE'])

const below = {
  is: numberQuery('Only those in a cache group below this one.', { min: 1 }),
  rows: (rows: readonly Row[], id: string, data: Data) =>
    rows.filter((row) => data.get('cachegroups', row.cachegroupId as number)?.parentCachegroupId === asId(id)),
}

/** Filters add up; names and ids as the interface and the field's clients give them. */
export const filters: Filters = {
  dsId: {
    is: numberQuery('Only those that carry this delivery service, with the mids above them.', { min: 1 }),
    rows: (rows, id, data, user) => carrying(rows, reached(data.get('deliveryServices', asId(id)), data, user), data),
  },
  deliveryService: (rows, xmlId, data, user) =>
    carrying(rows, reached(findOne(data, 'deliveryServices', 'xmlId', xmlId), data, user), data),
  status: (rows, name, data) => rows.filter((row) => data.get('statuses', row.statusId as number)?.name === name),
  type: (rows, name, data) => rows.filter((row) => data.get('types', row.typeId as number)?.name === name),
  profileId: 'profileId',
  profile: (rows, name, data) => rows.filter((row) => data.get('profiles', row.profileId as number)?.name === name),
  cdn: byIdOrName('cdns', 'cdnId'),
  cdnName: byIdOrName('cdns', 'cdnId'),
  cachegroup: byIdOrName('cachegroups', 'cachegroupId'),
  cachegroupName: byIdOrName('cachegroups', 'cachegroupId'),
  physLocation: byIdOrName('physLocations', 'physLocationId'),
  parentCachegroup: below,
  parentCacheGroup: below,
}

function byIdOrName(kind: 'cdns' | 'cachegroups' | 'physLocations', field: string) {
  return (rows: readonly Row[], value: string, data: Data): readonly Row[] => {
    const ids = new Set([asId(value), ...data.ids(kind, 'name', value)])
    return rows.filter((row) => ids.has(row[field] as number))
  }
}

/** Which servers carry a delivery service of another branch is nobody's business. */
function reached(service: Records['deliveryServices'] | undefined, data: Data, user: Caller) {
  return service && reachesTenant(data, user, service.tenantId) ? service : undefined
}

/** The servers assigned to a delivery service, and the mids their cache groups go to. */
function carrying(rows: readonly Row[], service: Records['deliveryServices'] | undefined, data: Data): readonly Row[] {
  if (!service) return []
  const assigned = new Set(data.ids('deliveryServiceServers', 'deliveryServices', service.id))
  const type = data.get('types', service.typeId)?.name ?? ''
  if (withoutMids.has(type)) return rows.filter(({ id }) => assigned.has(id))
  const parents = new Set<number | null>()
  for (const id of assigned) {
    const group = data.get('cachegroups', data.get('servers', id)?.cachegroupId ?? null)
    if (group) parents.add(group.parentCachegroupId)
  }
  const isMid = (row: Row) => data.get('types', row.typeId as number)?.name.startsWith('MID') ?? false
  return rows.filter(
    (row) =>
      assigned.has(row.id) || (row.cdnId === service.cdnId && parents.has(row.cachegroupId as number) && isMid(row)),
  )
}
