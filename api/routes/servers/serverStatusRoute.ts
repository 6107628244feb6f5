import { Type } from '@sinclair/typebox'
import { badRequest, invalid } from '../../config/errors.js'
import { textBeginning } from '../../config/textBeginning.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Endpoint } from '../../operations/endpoint.js'
import { queueInSteps } from '../../operations/updates.js'
import { saysNothing } from '../../records/nothing.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { textOf } from '../crud/ids.js'
import { findRow } from '../crud/readRoutes.js'
import type { Resource } from '../crud/resource.js'
import { subjectOf, success } from '../crud/routes.js'

/** Statuses that need a reason; every other clears it. */
const down = new Set(['ADMIN_DOWN', 'OFFLINE'])

const statusNamed = Type.Union([Type.Integer(), Type.String()], { description: 'Its id or name.' })

interface Wanted {
  readonly status: number | string
  /** Under which name it was given. */
  readonly given: 'status' | 'statusId'
  readonly reason: string
}

const wanted: Body<Wanted> = {
  schema: Type.Object({
    status: statusNamed,
    statusId: Type.Optional({ ...statusNamed, description: 'Instead of status.' }),
    offlineReason: Type.Optional(Type.String({ description: 'Needed for ADMIN_DOWN and OFFLINE.' })),
  }),
  read: (sent) => {
    const body = objectOf(sent)
    const given = (['status', 'statusId'] as const).find((name) => !saysNothing(body[name]))
    if (given === undefined) throw badRequest('Status is required.')
    const status = body[given]
    const { offlineReason = '' } = body
    if (offlineReason !== null && typeof offlineReason !== 'string')
      throw invalid([{ path: 'offlineReason', text: 'offlineReason must be a string' }])
    const reason = (offlineReason ?? '').trim()
    return { status: typeof status === 'number' ? status : textOf(status), given, reason }
  },
}

/** Sets a server's status. The caches below it hear of it, because their parents change. */
export function statusRoute(resource: Resource): Endpoint {
  return {
    method: 'PUT',
    path: '/servers/:id/status',
    role: 'oper',
    reach: 'shared',
    summary: "Set a server's status",
    body: wanted,
    subject: (input, data) => subjectOf(resource, findRow(resource, input, data), input, data),
    *write(input, transaction) {
      const row = findRow(resource, input, transaction.data)
      const server = row as Records['servers']
      const { reason, ...named } = wanted.read(input.body)
      const status = statusOf(named, transaction.data)
      if (down.has(status.name) && reason === '') {
        throw badRequest('Offline reason is required for ADMIN_DOWN or OFFLINE status.')
      }
      const said = down.has(status.name) ? `${transaction.user.username}: ${oneLine(reason)}` : null
      transaction.update('servers', server.id, { statusId: status.id, offlineReason: said })
      const children = childrenOf(server, transaction.data)
      yield* queueInSteps(transaction, children)
      const name = `${server.hostName}.${server.domainName}`
      const text =
        `Updated status [ ${status.name} ] for ${name} [ ${said ?? ''} ]` +
        (isCache(server, transaction.data) ? ' and queued updates on all child caches' : '')
      transaction.log(text)
      return { alerts: [success(text)] }
    },
  }
}

const oneLine = (text: string): string => textBeginning(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), 900)

function statusOf({ status: named, given }: Omit<Wanted, 'reason'>, data: Data): Records['statuses'] {
  const id = typeof named === 'number' ? named : asId(named)
  const status = id === null ? findOne(data, 'statuses', 'name', String(named)) : data.get('statuses', id)
  if (!status) throw badRequest(given === 'status' ? 'Invalid status.' : `${given}: Invalid status.`)
  return status
}

const isCache = ({ typeId }: Records['servers'], data: Data): boolean =>
  /^(EDGE|MID)/.test(data.get('types', typeId)?.name ?? '')

/** Servers of the same CDN whose cache group has this server's as its primary parent (beyond.md §1.8). */
function childrenOf(server: Records['servers'], data: Data): number[] {
  if (!isCache(server, data)) return []
  return data
    .by('cachegroups', 'parentCachegroupId', server.cachegroupId)
    .flatMap(({ id }) => data.by('servers', 'cachegroupId', id))
    .filter(({ cdnId }) => cdnId === server.cdnId)
    .map(({ id }) => id)
}
