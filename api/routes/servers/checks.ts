import { Type } from '@sinclair/typebox'
import { badRequest, quoted } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { fieldsBody } from '../../operations/fieldsBody.js'
import { listQuery } from '../../operations/queryParameters.js'
import { isPending, isRevalPending } from '../../operations/updates.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { anyText, integer, optional, text } from '../../schema/fields.js'
import type { Records } from '../../schema/records.js'
import { sortAndPage } from '../crud/lists.js'
import { success } from '../crud/routes.js'

const largest = 999_999_999_999_999

const reported = fieldsBody({
  id: optional(integer({ description: 'Of the server; it counts when there is a name, too.' })),
  host_name: optional(anyText({ description: 'Of the server, instead of id.' })),
  servercheck_short_name: text({ max: 4096 }),
  value: integer({ min: -largest, max: largest, must: 'must be an integer' }),
})

/** What check extensions say of each cache: one writes, the other shows (beyond.md §1.7, §2.3). */
export const checkEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/servers/checks',
    role: 'any',
    reach: 'shared',
    summary: 'Caches with the newest result of every installed check',
    query: listQuery,
    response: Type.Array(
      Type.Object({
        id: Type.Integer(),
        hostName: Type.String(),
        profile: Type.String(),
        adminState: Type.String(),
        cacheGroup: Type.String(),
        type: Type.String(),
        updPending: Type.Boolean(),
        revalPending: Type.Boolean(),
        checks: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    read: ({ query, version }, data) => {
      const installed = data
        .all('extensions')
        .filter(({ servercheck_short_name }) => servercheck_short_name !== null)
        .map(({ id, servercheck_short_name }) => ({ id, short: servercheck_short_name! }))
      const caches = data
        .all('servers')
        .filter(({ typeId }) => /^(EDGE|MID)/.test(data.get('types', typeId)?.name ?? ''))
        .map((server) => checked(server, installed, data))
      const number = (id: number) => (version === '1.3' ? id : String(id))
      return { response: sortAndPage(caches, query, 'hostName').map((cache) => ({ ...cache, id: number(cache.id) })) }
    },
  },
  {
    method: 'POST',
    path: '/servercheck',
    role: 'checker',
    reach: 'shared',
    summary: 'Store the result of a check on a server',
    body: reported,
    write: store,
  },
]

/** A check that has not reported counts as 0, as it does from its installation on. */
function checked(server: Records['servers'], installed: readonly { id: number; short: string }[], data: Data) {
  const results = new Map(data.by('serverChecks', 'serverId', server.id).map((one) => [one.extensionId, one.value]))
  return {
    id: server.id,
    hostName: server.hostName,
    profile: data.get('profiles', server.profileId)!.name,
    adminState: data.get('statuses', server.statusId)!.name,
    cacheGroup: data.get('cachegroups', server.cachegroupId)!.name,
    type: data.get('types', server.typeId)!.name,
    updPending: isPending(data, server.id),
    revalPending: isRevalPending(data, server.id),
    checks: Object.fromEntries(installed.map(({ id, short }) => [short, results.get(id) ?? 0])),
  }
}

function store({ body }: RequestInput, transaction: Transaction): Result {
  const { serverId, extensionId, value } = result(body, transaction.data)
  const known = transaction.data.by('serverChecks', 'serverId', serverId).find((one) => one.extensionId === extensionId)
  if (known) transaction.update('serverChecks', known.id, { value })
  else transaction.create('serverChecks', { serverId, extensionId, value })
  const name = transaction.data.get('extensions', extensionId)!.servercheck_short_name
  transaction.log(`Check ${name} on ${transaction.data.get('servers', serverId)!.hostName}: ${value}`, 'OPER')
  return { alerts: [success('Server Check was successfully updated.')] }
}

function result(body: unknown, data: Data) {
  const said = reported.read(body, (found) =>
    found.id === null && !found.host_name ? [{ path: 'id', text: 'id or host_name is required' }] : [],
  )
  const { id, host_name: host, servercheck_short_name: short, value } = said
  const extension = findOne(data, 'extensions', 'servercheck_short_name', short)
  if (!extension) {
    throw badRequest(`Server Check Extension ${quoted(short)} not found - Do you need to install it?`)
  }
  const server = id === null ? findOne(data, 'servers', 'hostName', host ?? '') : data.get('servers', id)
  if (!server) throw badRequest('Server not found')
  return { serverId: server.id, extensionId: extension.id, value }
}
