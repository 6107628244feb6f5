import { Type } from '@sinclair/typebox'
import { badRequest, invalid, quoted } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body } from '../../operations/endpoint.js'
import { fieldsBody } from '../../operations/fieldsBody.js'
import { dequeueInSteps, queueInSteps } from '../../operations/updates.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { anyText, oneOf, optional } from '../../schema/fields.js'
import servers from '../../schema/kinds/servers.js'
import type { Records } from '../../schema/records.js'
import { changing } from '../crud/changing.js'
import { filterQuery, narrowed } from '../crud/filters.js'
import { byPathId, textOf } from '../crud/ids.js'
import { success } from '../crud/routes.js'
import { filters } from './serverFilters.js'

/** Queueing and dequeueing of updates, for whole CDNs, cache groups, single servers, or those that a filter names. */

type Server = Records['servers']

type Action = 'queue' | 'dequeue'

const action = oneOf(['queue', 'dequeue'], { must: "must be 'queue' or 'dequeue'" })
const order = fieldsBody({ action })

/** The servers of a cache group may be of several CDNs. */
const orderInCdn = fieldsBody({
  action,
  cdn: optional(anyText({ description: 'The name of the CDN.' })),
  cdnId: optional(anyText({ description: 'Instead of cdn: its id or name.' })),
})

/** By each filter that is given, even if it matches nothing: an empty text is some script's empty variable. */
const orderByFilters: Body<{ readonly action: Action; readonly wanted: readonly (readonly [string, string])[] }> = {
  schema: Type.Composite([Type.Object({ action }), Type.Partial(Type.Object(filterQuery(servers, filters)))]),
  read: (given) => {
    const { action } = order.read(given)
    const { action: _, ...wanted } = objectOf(given)
    // A misspelt filter would be one less, and the action go further than was meant.
    const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(filters, name))
    if (unknown !== undefined) throw badRequest(`There is no filter '${quoted(unknown)}'.`)
    const said = Object.entries(wanted).filter(([, value]) => value !== null)
    const strange = said.filter(([, value]) => typeof value === 'object')
    if (strange.length > 0)
      throw invalid(strange.map(([path]) => ({ path, text: `${path} must be text, a number or a boolean` })))
    const named = said.map(([name, value]) => [name, textOf(value)] as const)
    if (named.length === 0) throw badRequest(`At least one filter is needed: ${Object.keys(filters).join(', ')}.`)
    return { action, wanted: named }
  },
}

const change = changing({ role: 'oper', reach: 'shared' })

export const queueCdn = change(
  {
    method: 'POST',
    path: '/cdns/:id/queue_update',
    summary: 'Queue updates for a whole CDN',
    body: order,
    response: Type.Object({ action: Type.String(), cdnId: Type.Integer() }),
  },
  function* (input, transaction) {
    const cdn = byPathId(transaction.data, 'cdns', 'cdn', input)
    const { action } = order.read(input.body)
    yield* act(action, transaction, transaction.data.by('servers', 'cdnId', cdn.id))
    const text = `Server updates ${action}d for ${cdn.name}`
    transaction.log(text)
    return { response: { action, cdnId: cdn.id }, alerts: [success(text)] }
  },
)

export const queueCachegroup = change(
  {
    method: 'POST',
    path: '/cachegroups/:id/queue_update',
    summary: 'Queue updates for the servers of a cache group in a CDN',
    body: orderInCdn,
    response: Type.Object({
      action: Type.String(),
      cachegroupId: Type.Integer(),
      cachegroupName: Type.String(),
      cdn: Type.String(),
      serverNames: Type.Array(Type.String()),
    }),
  },
  function* (input, transaction) {
    const group = byPathId(transaction.data, 'cachegroups', 'cachegroup', input)
    const { action, ...named } = orderInCdn.read(input.body, (found) =>
      cdnOf(found, transaction.data) ? [] : [{ path: 'cdn', text: 'cdn does not exist' }],
    )
    // Whether there is one was asked already.
    const cdn = cdnOf(named, transaction.data)!
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

export const queueServer = change(
  {
    method: 'POST',
    path: '/servers/:id/queue_update',
    summary: 'Queue an update for a server',
    body: order,
    response: Type.Object({ serverId: Type.Integer(), action: Type.String() }),
  },
  function* (input, transaction) {
    const server = byPathId(transaction.data, 'servers', 'server', input)
    const { action } = order.read(input.body)
    yield* act(action, transaction, [server])
    transaction.log(`Server updates ${action}d for ${server.hostName}`)
    return { response: { serverId: server.id, action } }
  },
)

/**
 * Servers by what they are: the filters of the list of servers, at least one of them, in the body.
 * `?dryRun=true` tells how many that would be.
 */
export const queueSome = change(
  {
    method: 'POST',
    path: '/servers/queue_update',
    summary: 'Queue updates for the servers that filters name',
    body: orderByFilters,
    response: Type.Object({ action: Type.String(), count: Type.Integer(), serverNames: Type.Array(Type.String()) }),
  },
  function* (input, transaction) {
    const { action, wanted } = orderByFilters.read(input.body)
    let rows = transaction.data.all('servers') as readonly Row[]
    for (const [name, value] of wanted) rows = narrowed(filters[name]!, rows, value, transaction.data, transaction.user)
    const servers = rows as readonly Server[]
    yield* act(action, transaction, servers)
    const text = `Server updates ${action}d for ${servers.length} servers`
    transaction.log(text)
    const serverNames = servers.map(({ hostName }) => hostName)
    return { response: { action, count: servers.length, serverNames }, alerts: [success(text)] }
  },
)

function act(action: Action, transaction: Transaction, servers: readonly Server[]): Generator<void, void> {
  const ids = servers.map(({ id }) => id)
  return action === 'queue' ? queueInSteps(transaction, ids) : dequeueInSteps(transaction, ids)
}

/** `cdn` is a name; `cdnId` an id or a name. */
function cdnOf(
  { cdn = null, cdnId = null }: { readonly cdn?: string | null; readonly cdnId?: string | null },
  data: Data,
): Records['cdns'] | undefined {
  const byName = findOne(data, 'cdns', 'name', cdn ?? cdnId ?? '')
  return byName ?? (cdn === null && cdnId !== null ? data.get('cdns', asId(cdnId)) : undefined)
}
