import { Type } from '@sinclair/typebox'
import { badRequest, notFound } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import { recordsBody, refused } from '../operations/bodies.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import { numberQuery } from '../operations/queryParameters.js'
import { eachInSteps } from '../records/each.js'
import type { Fallback } from '../records/kinds/cachegroupFallbacks.js'
import { path } from '../records/kinds/cachegroupFallbacks.js'
import { kindOf } from '../records/kinds/index.js'
import type { Data } from '../schema/data.js'
import { asId } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import { present } from './crud/present.js'
import type { Resource } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { success } from './crud/routes.js'

const query = {
  cacheGroupId: numberQuery('The cache group.', { min: 1 }),
  fallbackId: numberQuery('Its backup; at least one of both is needed.', { min: 1 }),
}

const shownList = Type.Array(
  Type.Object({
    cacheGroupId: Type.Integer(),
    cacheGroupName: Type.String(),
    fallbackId: Type.Integer(),
    fallbackName: Type.String(),
    fallbackOrder: Type.Integer(),
  }),
)

/** One entry or several. */
const given = recordsBody(kindOf('cachegroupFallbacks'), 'create')

export default defineResource('cachegroupFallbacks', {
  // The list-shaped API never shows ids of its own; everything in it is a number in every version.
  present: { '1.1': shape, '1.3': shape },
  routes: [listed, created, replaced, removed],
})

function shape(row: Row | Fallback) {
  const { cacheGroupId, cacheGroupName, fallbackId, fallbackName, fallbackOrder } = row as Row
  return { cacheGroupId, cacheGroupName, fallbackId, fallbackName, fallbackOrder }
}

function listed(resource: Resource): Endpoint {
  return {
    method: 'GET',
    path,
    role: 'any',
    reach: 'shared',
    summary: 'List the fallbacks of a cache group',
    response: shownList,
    query,
    read: ({ query, version, user }, data) => ({
      response: chosen(query, data).map((row) => present(resource, row, { data, version, user })),
    }),
  }
}

function created(resource: Resource): Endpoint {
  return {
    method: 'POST',
    path,
    role: 'oper',
    reach: 'shared',
    summary: 'Add fallbacks to cache groups',
    body: given,
    response: shownList,
    *write(input, transaction) {
      const rows = yield* eachInSteps(given.read(input.body), (body) => {
        const made = transaction.tryCreate(resource.kind, given.fields(body, transaction.data))
        if (!made.row) throw refused(resource, body, made.faults)
        return made.row
      })
      return answer(resource, rows, input, transaction, 'CREATE')
    },
  }
}

/** All named entries are taken out first and put back changed, so that orders can be exchanged. */
function replaced(resource: Resource): Endpoint {
  return {
    method: 'PUT',
    path,
    role: 'oper',
    reach: 'shared',
    summary: 'Change the order of fallbacks',
    body: given,
    response: shownList,
    *write(input, transaction) {
      const entries = yield* eachInSteps(given.read(input.body), (body) => {
        const values = given.fields(body, transaction.data)
        const key = JSON.stringify([values.cacheGroupId, values.fallbackId])
        const [id] = transaction.data.ids('cachegroupFallbacks', 'cacheGroupId+fallbackId', key)
        if (id === undefined) {
          throw badRequest(`cacheGroupId ${values.cacheGroupId} has no fallbackId ${values.fallbackId}.`)
        }
        return { id, values, body }
      })
      for (const id of new Set(entries.map(({ id }) => id))) {
        transaction.remove('cachegroupFallbacks', id)
        yield
      }
      const rows = yield* eachInSteps(entries, ({ id, values, body }) => {
        const made = transaction.tryCreate(resource.kind, values, id)
        if (!made.row) throw refused(resource, body, made.faults)
        return made.row
      })
      return answer(resource, rows, input, transaction, 'UPDATE')
    },
  }
}

function removed(): Endpoint {
  return {
    method: 'DELETE',
    path,
    role: 'oper',
    reach: 'shared',
    summary: 'Take fallbacks away',
    body: 'none',
    query,
    *write(input, transaction) {
      const rows = chosen(input.query, transaction.data)
      if (rows.length === 0) throw notFound('There is no such fallback.')
      for (const { id } of rows) {
        transaction.remove('cachegroupFallbacks', id)
        yield
      }
      transaction.log(`Deleted ${rows.length} fallbacks of cache group ${input.query.cacheGroupId ?? 'any'}`)
      return { alerts: [success('Backup configuration DELETED')] }
    },
  }
}

function chosen({ cacheGroupId, fallbackId }: RequestInput['query'], data: Data): Row[] {
  if (!cacheGroupId && !fallbackId) throw badRequest('Either cacheGroupId or fallbackId must be given.')
  const group = cacheGroupId ? asId(cacheGroupId) : undefined
  const fallback = fallbackId ? asId(fallbackId) : undefined
  if (group === null || fallback === null) throw badRequest('cacheGroupId and fallbackId must be whole numbers.')
  const rows =
    group === undefined
      ? data.by('cachegroupFallbacks', 'fallbackId', fallback!)
      : data.by('cachegroupFallbacks', 'cacheGroupId', group)
  return rows
    .filter((row) => fallback === undefined || row.fallbackId === fallback)
    .sort((a, b) => a.cacheGroupId - b.cacheGroupId || a.fallbackOrder - b.fallbackOrder) as Row[]
}

function answer(
  resource: Resource,
  rows: readonly Row[],
  { version, user }: RequestInput,
  transaction: Transaction,
  verb: string,
) {
  const groups = [...new Set(rows.map((row) => row.cacheGroupId))].join(', ')
  const text = `Backup configuration ${verb} for cache group ${groups} successful.`
  transaction.log(text)
  return {
    response: rows.map((row) => present(resource, row, { data: transaction.data, version, user })),
    alerts: [success(text)],
  }
}
