import { type TSchema, Type } from '@sinclair/typebox'
import { badRequest, quoted } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Decision, Endpoint, RequestInput } from '../../operations/endpoint.js'
import { dequeueInSteps, queueInSteps } from '../../operations/updates.js'
import { together } from '../../records/each.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Records } from '../../schema/records.js'
import { narrowed } from '../crud/filters.js'
import { byPathId, textOf } from '../crud/ids.js'
import { success } from '../crud/routes.js'
import { filters } from './serverFilters.js'

/** Queueing and dequeueing of updates, for whole CDNs, cache groups, single servers, or those that a filter names. */

type Server = Records['servers']

/** Beside the action: the CDN of a cache group's servers, or filters. */
const orderShape = Type.Object({
  action: Type.Union([Type.Literal('queue'), Type.Literal('dequeue')]),
  cdn: Type.Optional(Type.String()),
})

/** What is to be done; to which servers, each route takes from the body by itself. */
const order: Body<Action> = { schema: orderShape, read: actionOf }

const route =
  (path: string, summary: string, shown: TSchema, write: (input: RequestInput, transaction: Transaction) => Decision) =>
  (): Endpoint => ({
    method: 'POST',
    path,
    role: 'oper',
    reach: 'shared',
    summary,
    body: order,
    response: shown,
    write,
  })

export const queueCdn = route(
  '/cdns/:id/queue_update',
  'Queue updates for a whole CDN',
  Type.Object({ action: Type.String(), cdnId: Type.Integer() }),
  function* (input, transaction) {
    const cdn = byPathId(transaction.data, 'cdns', 'cdn', input)
    const action = order.read(input.body)
    yield* act(action, transaction, transaction.data.by('servers', 'cdnId', cdn.id))
    const text = `Server updates ${action}d for ${cdn.name}`
    transaction.log(text)
    return { response: { action, cdnId: cdn.id }, alerts: [success(text)] }
  },
)

export const queueCachegroup = route(
  '/cachegroups/:id/queue_update',
  'Queue updates for the servers of a cache group in a CDN',
  Type.Object({
    action: Type.String(),
    cachegroupId: Type.Integer(),
    cachegroupName: Type.String(),
    cdn: Type.String(),
    serverNames: Type.Array(Type.String()),
  }),
  function* (input, transaction) {
    const group = byPathId(transaction.data, 'cachegroups', 'cachegroup', input)
    together(
      () => order.read(input.body),
      () => cdnOf(input.body, transaction.data),
    )
    const action = order.read(input.body)
    const cdn = cdnOf(input.body, transaction.data)
    const servers = transaction.data.by('servers', 'cachegroupId', group.id).filter(({ cdnId }) => cdnId === cdn.id)
    yield* act(action, transaction, servers)
    const text = `Server updates ${action}d for ${group.name} in ${cdn.name}`
    transaction.log(text)
    return {
      response: {
        action,
        cachegroupId: group.id,
        cachegroupName: group.name,
        cdn: cdn.name,
        serverNames: servers.map(({ hostName }) => hostName),
      },
      alerts: [success(text)],
    }
  },
)

export const queueServer = route(
  '/servers/:id/queue_update',
  'Queue an update for a server',
  Type.Object({ serverId: Type.Integer(), action: Type.String() }),
  function* (input, transaction) {
    const server = byPathId(transaction.data, 'servers', 'server', input)
    const action = order.read(input.body)
    yield* act(action, transaction, [server])
    transaction.log(`Server updates ${action}d for ${server.hostName}`)
    return { response: { serverId: server.id, action } }
  },
)

/**
 * Servers by what they are: the filters of the list of servers, at least one of them, in the body.
 * `?dryRun=true` tells how many that would be.
 */
export const queueSome = route(
  '/servers/queue_update',
  'Queue updates for the servers that filters name',
  Type.Object({ action: Type.String(), count: Type.Integer(), serverNames: Type.Array(Type.String()) }),
  function* (input, transaction) {
    const body = objectOf(input.body)
    const action = order.read(body)
    const named = Object.entries(filters).filter(([name]) => body[name] !== undefined)
    // A misspelt filter would be one less, and the action go further than was meant.
    const unknown = Object.keys(body).find((name) => name !== 'action' && !Object.hasOwn(filters, name))
    if (unknown !== undefined) throw badRequest(`There is no filter '${quoted(unknown)}'.`)
    if (named.length === 0) throw badRequest(`At least one filter is needed: ${Object.keys(filters).join(', ')}.`)
    let rows = transaction.data.all('servers') as readonly Row[]
    for (const [name, filter] of named)
      rows = narrowed(filter, rows, textOf(body[name]), transaction.data, transaction.user)
    const servers = rows as readonly Server[]
    yield* act(action, transaction, servers)
    const text = `Server updates ${action}d for ${servers.length} servers`
    transaction.log(text)
    const serverNames = servers.map(({ hostName }) => hostName)
    return { response: { action, count: servers.length, serverNames }, alerts: [success(text)] }
  },
)

type Action = 'queue' | 'dequeue'

function actionOf(body: unknown): Action {
  const { action } = objectOf(body)
  if (action === 'queue' || action === 'dequeue') return action
  throw badRequest("action must be 'queue' or 'dequeue'")
}

function act(action: Action, transaction: Transaction, servers: readonly Server[]): Generator<void, void> {
  const ids = servers.map(({ id }) => id)
  return action === 'queue' ? queueInSteps(transaction, ids) : dequeueInSteps(transaction, ids)
}

/** `cdn` is a name; `cdnId` an id or a name. */
function cdnOf(body: unknown, data: Data): Records['cdns'] {
  const { cdn, cdnId } = objectOf(body)
  const given = cdn ?? cdnId
  const id = typeof given === 'number' ? given : typeof given === 'string' ? asId(given) : null
  const found = findOne(data, 'cdns', 'name', textOf(given)) ?? (cdn === undefined ? data.get('cdns', id) : undefined)
  if (!found) throw badRequest('cdn does not exist')
  return found
}
