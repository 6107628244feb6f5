import { badRequest } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Asked } from '../../operations/endpoint.js'
import { create, list, remove, update } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import {
  flag,
  ipv4,
  ipv6,
  oneOf,
  optional,
  port,
  type RecordOf,
  ref,
  text,
  urlHost,
  word,
} from '../../schema/fields.js'
import { mustReachTenant } from '../../schema/privileges.js'
import { defineResource, type JoinedRow, type Row } from '../defineKind.js'
import type { Values } from '../recordBody.js'
import { needed } from '../rules.js'
import { originUrl } from './primaryOrigin.js'

export const fields = {
  name: word({ unique: true }),
  fqdn: text({ pattern: `^${urlHost}$` }),
  protocol: oneOf(['http', 'https'], { tidy: (given) => given.toLowerCase() }),
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  port: optional(port()),
  ipAddress: optional(ipv4()),
  ip6Address: optional(ipv6()),
  cachegroupId: optional(ref('cachegroups', { as: ['cachegroup'] })),
  coordinateId: optional(ref('coordinates', { as: ['coordinate'], also: ['coordinateID'] })),
  profileId: optional(ref('profiles', { as: ['profile'], onDelete: 'clear' })),
  /** That of the delivery service when the body names none. */
  tenantId: ref('tenants', { as: ['tenant'], fallback: null }),
  /** The one the delivery service itself names; the others serve multi-site origin. */
  isPrimary: flag({ fallback: false, managed: true }),
}

type Origin = RecordOf<typeof fields>

const filters = {
  cachegroup: 'cachegroupId',
  coordinate: 'coordinateId',
  deliveryservice: 'deliveryServiceId',
  profileId: 'profileId',
  primary: 'isPrimary',
  isPrimary: 'isPrimary',
  tenant: 'tenantId',
}

const zoned = (row: JoinedRow<typeof fields>) => ({ ...row, lastUpdated: `${row.lastUpdated}+00` })

const change = { role: 'oper', allow: reachesService, after: told } as const
const removal = { role: 'oper', allow: notPrimary, text: () => 'origin was deleted.' } as const

export default defineResource({
  kind: 'origins',
  label: 'origin',
  key: 'name',
  fields,
  indexes: { primaryOf: ({ isPrimary, deliveryServiceId }: Origin) => (isPrimary ? deliveryServiceId : null) },
  rules,
  tenant: (origin) => origin.tenantId,
  // interface.md gives origins native types and zoned times in every version.
  present: { '1.1': zoned },
  written: zoned,
  routes: [
    list('/origins', { role: 'any', filters }),
    create('/origins', { ...change, prepare: placed }),
    update('/origins', change),
    remove('/origin', removal),
    remove('/origins', removal),
  ],
})

function* rules({ before, after, data }: { before: Origin | null; after: Origin; data: Data }) {
  yield* needed(after, 'tenantId')
  if (before?.isPrimary && before.deliveryServiceId !== after.deliveryServiceId) {
    const path = 'deliveryServiceId'
    yield { path, text: `${path}: cannot update the delivery service of a primary origin` }
  }
  const isSecond = data.ids('origins', 'primaryOf', after.deliveryServiceId).some((id) => id !== after.id)
  if (after.isPrimary && isSecond) {
    yield {
      path: 'isPrimary',
      text: 'isPrimary: the delivery service has a primary origin already',
      status: 409 as const,
    }
  }
}

function placed(values: Values, _asked: Asked, { data, user }: Plan): Values {
  const service = data.get('deliveryServices', values.deliveryServiceId as number)
  return { ...values, tenantId: values.tenantId ?? service?.tenantId ?? user.tenantId }
}

function reachesService({ user }: Asked, { data }: Plan, before: Row | null, values: Values): void {
  for (const id of [before?.deliveryServiceId, values.deliveryServiceId]) {
    const service = data.get('deliveryServices', (id ?? null) as number | null)
    if (service) mustReachTenant(data, user, service.tenantId)
  }
}

/** The delivery service names its primary origin, too. */
function told(row: Row, _asked: Asked, plan: Plan): void {
  const origin = row as unknown as Origin
  if (origin.isPrimary) plan.update('deliveryServices', origin.deliveryServiceId, { orgServerFqdn: originUrl(origin) })
}

function notPrimary(_asked: Asked, _plan: Plan, before: Row | null): void {
  if (before?.isPrimary) throw badRequest('cannot delete a primary origin')
}
