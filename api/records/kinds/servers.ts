import { Type } from '@sinclair/typebox'
import type { Plan } from '../../journal/plan.js'
import type { Asked } from '../../operations/endpoint.js'
import { isPending, isRevalPending, queue } from '../../operations/updates.js'
import { flagIn } from '../../routes/crud/ids.js'
import { legacy } from '../../routes/crud/present.js'
import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { queueServer, queueSome } from '../../routes/servers/queueUpdateRoutes.js'
import { countRoutes } from '../../routes/servers/serverCountRoutes.js'
import { detailRoutes } from '../../routes/servers/serverDetailRoutes.js'
import { filters } from '../../routes/servers/serverFilters.js'
import { statusRoute } from '../../routes/servers/serverStatusRoute.js'
import type { Data } from '../../schema/data.js'
import { dnsName, integer, ipv4, ipv6, optional, port, type RecordOf, ref, text } from '../../schema/fields.js'
import { defineResource, type JoinedRow, type Presenting, type Row } from '../defineKind.js'
import type { Values } from '../recordBody.js'
import { typeOf } from '../rules.js'
import { carries } from './deliveryServiceServers.js'
import { followServer } from './serviceLocations.js'

/** Short enough to be a label; letters, digits, dot, hyphen, underscore: it becomes part of files and of names. */
const hostName = text({ max: 253, pattern: '^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?$' })

export const fields = {
  hostName,
  domainName: dnsName(),
  cachegroupId: ref('cachegroups', { as: ['cachegroup', 'cachegroupName'] }),
  cdnId: ref('cdns', { as: ['cdnName', 'cdn'] }),
  profileId: ref('profiles', { as: ['profile', 'profileName'] }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
  statusId: ref('statuses', { as: ['status', 'statusName'] }),
  physLocationId: ref('physLocations', { as: ['physLocation', 'physLocationName'] }),
  interfaceName: text({ pattern: '^\\S+$' }),
  /** Bytes; IPv4 needs 68. */
  interfaceMtu: integer({ min: 68, max: 65_535 }),
  ipAddress: ipv4(),
  ipNetmask: ipv4(),
  ipGateway: ipv4(),
  ip6Address: optional(ipv6()),
  ip6Gateway: optional(ipv6()),
  tcpPort: optional(port()),
  httpsPort: optional(port()),
  rack: optional(text()),
  /** Why the server is ADMIN_DOWN or OFFLINE, and who said so. */
  offlineReason: optional(text({ max: 1024 })),
  mgmtIpAddress: optional(ipv4()),
  mgmtIpNetmask: optional(ipv4()),
  mgmtIpGateway: optional(ipv4()),
  iloIpAddress: optional(ipv4()),
  iloIpNetmask: optional(ipv4()),
  iloIpGateway: optional(ipv4()),
  iloUsername: optional(text()),
  iloPassword: optional(text({ secret: true })),
  routerHostName: optional(text()),
  routerPortName: optional(text()),
  guid: optional(text()),
  /** The consistent-hash id; the host name unless the body says otherwise. */
  xmppId: optional(text({ pattern: '^\\S+$' })),
  xmppPasswd: optional(text({ secret: true })),
}

type Server = RecordOf<typeof fields>

export default defineResource({
  kind: 'servers',
  label: 'server',
  key: 'hostName',
  fields,
  unique: [
    ['ipAddress', 'profileId'],
    ['ip6Address', 'profileId'],
  ],
  rules,
  derived: ['profileDesc', 'updPending', 'revalPending'],
  shown: { profileDesc: Type.String(), updPending: Type.Boolean(), revalPending: Type.Boolean() },
  present: { '1.1': (row, context) => legacyShape(row, context, true), '1.3': withState },
  written: (row, context) => legacyShape(row, context, false),
  routes: [
    list('/servers', { role: 'any', filters }),
    ...countRoutes,
    ...detailRoutes,
    read('/servers/:id', { role: 'any' }),
    create('/servers', {
      role: 'oper',
      prepare: named,
      after: followed,
      text: () => 'Server creation was successful.',
    }),
    update('/servers/:id', { role: 'oper', after: followed, text: () => 'Server update was successful.' }),
    remove('/servers/:id', { role: 'oper' }),
    statusRoute,
    queueServer,
    queueSome,
  ],
})

function* rules({ before, after, data }: { before: Server | null; after: Server; data: Data }) {
  yield* typeOf('server', after, data)
  const profile = data.get('profiles', after.profileId)
  if (profile && profile.cdn !== after.cdnId && moved(before, after)) {
    const text = `profileId: the profile ${profile.name} does not belong to the server's CDN`
    yield { path: 'profileId', text }
  }
  if (!before || (before.cdnId === after.cdnId && before.typeId === after.typeId)) return
  const carried = data.get('deliveryServiceServers', after.id)?.deliveryServices ?? []
  if (carried.some((id) => data.get('deliveryServices', id)?.cdnId !== after.cdnId)) {
    yield { path: 'cdnId', text: 'cdnId: the server carries delivery services of its present CDN' }
  }
  const type = data.get('types', after.typeId)?.name ?? ''
  if (carried.length > 0 && !carries(type)) {
    yield { path: 'typeId', text: `typeId: the server carries delivery services, which ${type} servers do not` }
  }
}

const moved = (before: Server | null, after: Server): boolean =>
  before?.profileId !== after.profileId || before.cdnId !== after.cdnId

function withState(row: JoinedRow<typeof fields>, { data }: Pick<Presenting, 'data'>) {
  return Object.assign(row, {
    profileDesc: data.get('profiles', row.profileId)?.description ?? null,
    updPending: isPending(data, row.id),
    revalPending: isRevalPending(data, row.id),
  })
}

const detailsOnly = { legacy: { omit: ['xmppId', 'xmppPasswd', 'revalPending'] } }

/** 1.1 and 1.2 show the hash id and its password in the details only. */
function legacyShape(row: JoinedRow<typeof fields>, context: Presenting, asStrings: boolean) {
  return legacy(detailsOnly, withState(row, context), asStrings)
}

function named(values: Values): Values {
  return { ...values, xmppId: values.xmppId ?? values.hostName }
}

function followed(row: Row, { body }: Asked, plan: Plan, before: Row | null): void {
  const server = row as unknown as Server
  // Most clients send back the flag they read before: false must not take away an update that was queued meanwhile.
  if (flagIn(body, 'updPending')) queue(plan, [server.id])
  followServer(plan, before as unknown as Server | null, server)
}
