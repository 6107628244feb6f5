import { Type } from '@sinclair/typebox'
import { shownTime, zonedTime } from '../../config/times.js'
import { LazyList } from '../../flow/jsonText.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import { reachesTenant } from '../../schema/privileges.js'
import { pageOf, sortAndPage } from '../crud/lists.js'

/** The one list that ends after 20 by default and tells its page in `size` (beyond.md §1.1). */
export function carriedList(): Endpoint {
  return {
    method: 'GET',
    path: '/deliveryserviceserver',
    role: 'any',
    reach: 'tenants',
    summary: 'List which server carries which delivery service',
    response: Type.Array(
      Type.Object({ deliveryService: Type.Integer(), server: Type.Integer(), lastUpdated: Type.String() }),
    ),
    query: listQuery,
    read: ({ query, user, version }, data) => {
      const native = version === '1.3'
      const number = (id: number) => (native ? id : String(id))
      const visible = new Map<number, boolean>()
      const sees = (id: number) => {
        if (!visible.has(id)) visible.set(id, reachesTenant(data, user, data.get('deliveryServices', id)!.tenantId))
        return visible.get(id)
      }
      const limit = query.limit || '20'
      const page = query.page || '1'
      const links = () => linksOf({ ...query, limit, page }, sees, data)
      const shown = new LazyList({ [Symbol.iterator]: links }, (link) => ({
        deliveryService: number(link.deliveryService),
        server: number(link.server),
        lastUpdated: native ? zonedTime(link.lastUpdated) : shownTime(link.lastUpdated),
      }))
      const extra = { orderby: query.orderby ?? 'deliveryService', limit: Number(limit), size: Number(page) }
      return { response: shown, extra }
    },
  }
}

interface Link {
  readonly deliveryService: number
  readonly server: number
  readonly lastUpdated: string
}

/**
 * There are hundreds of thousands of links, and a page has few: what is put into order are the services or servers
 * they hang on, and only those of the page are made.
 */
function* linksOf(
  query: RequestInput['query'],
  sees: (service: number) => boolean | undefined,
  data: Data,
): Generator<Link> {
  const { from, to = Number.POSITIVE_INFINITY } = pageOf(query)
  const { orderby, sortOrder = 'asc' } = query
  let place = 0
  const onPage = (ids: readonly number[]): readonly number[] => {
    const taken = ids.slice(Math.max(0, from - place), Math.max(0, to - place))
    place += ids.length
    return taken
  }
  if (orderby === 'server' || orderby === 'lastUpdated') {
    const carriers = data.all('deliveryServiceServers')
    for (const { id, deliveryServices, lastUpdated } of sortAndPage(carriers, { orderby, sortOrder }, 'id')) {
      const seen = onPage(deliveryServices.filter(sees))
      for (const deliveryService of seen) yield { deliveryService, server: id, lastUpdated }
      if (place >= to) return
    }
    return
  }
  for (const { id } of sortAndPage(data.all('deliveryServices'), { sortOrder }, 'id')) {
    if (!sees(id)) continue
    const servers = data.ids('deliveryServiceServers', 'deliveryServices', id).toSorted((a, b) => a - b)
    for (const server of onPage(servers)) {
      const { lastUpdated } = data.get('deliveryServiceServers', server)!
      yield { deliveryService: id, server, lastUpdated }
    }
    if (place >= to) return
  }
}
