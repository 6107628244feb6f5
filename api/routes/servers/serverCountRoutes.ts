import { Type } from '@sinclair/typebox'
import { RE2JS } from 're2js'
import { badRequest, quoted } from '../../config/errors.js'
import type { Endpoint, ReadEndpoint } from '../../operations/endpoint.js'
import { textQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'

const byType = (path: string) => (): Endpoint => ({
  method: 'GET',
  path,
  role: 'any',
  reach: 'shared',
  summary: 'How many servers there are of each type',
  response: Type.Array(Type.Object({ count: Type.Integer(), type: Type.String() })),
  read: (_asked, data) => ({ response: countByType(data) }),
})

export const countRoutes: readonly (() => Endpoint)[] = [
  byType('/servers/totals'),
  byType('/servers/summary'),
  byStatus,
]

function countByType(data: Data) {
  const counts = data
    .all('types')
    .filter(({ useInTable }) => useInTable === 'server')
    .map(({ id, name }) => ({ count: data.ids('servers', 'typeId', id).length, type: name }))
  return counts.filter(({ count }) => count > 0).sort((a, b) => (a.type < b.type ? -1 : 1))
}

/** Every status is named, also those no server has. */
function byStatus(): ReadEndpoint {
  return {
    method: 'GET',
    path: '/servers/status',
    role: 'any',
    reach: 'shared',
    summary: 'How many servers there are in each status',
    response: Type.Record(Type.String(), Type.Integer()),
    query: { type: textQuery('A regular expression over type names.') },
    read: ({ query }, data) => {
      const counted = query.type === undefined ? null : typesLike(query.type, data)
      const counts: Record<string, number> = Object.fromEntries(data.all('statuses').map(({ name }) => [name, 0]))
      for (const { statusId, typeId } of data.all('servers')) {
        if (counted?.has(typeId) === false) continue
        const { name } = data.get('statuses', statusId)!
        counts[name] = (counts[name] ?? 0) + 1
      }
      return { response: counts }
    },
  }
}

function typesLike(pattern: string, data: Data): ReadonlySet<number> {
  let regex: RE2JS
  try {
    regex = RE2JS.compile(pattern.slice(0, 255))
  } catch {
    throw badRequest(`The query parameter 'type' is not a regular expression: '${quoted(pattern)}'.`)
  }
  const like = data.all('types').filter(({ name }) => regex.matcher(name).find())
  return new Set(like.map(({ id }) => id))
}
