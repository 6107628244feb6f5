import { unfitForDns } from '../../config/hostNames.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/servers.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { needed, typeOf } from '../rules.js'
import { carries } from './deliveryServiceServers.js'

export type Server = RecordOf<typeof fields>

interface Change {
  readonly before: Server | null
  readonly after: Server
  readonly data: Data
}

const moved = (before: Server | null, after: Server): boolean =>
  before?.profileId !== after.profileId || before.cdnId !== after.cdnId

export default defineBehaviour('servers', {
  rules: [({ after, data }) => typeOf('server', after, data), addressed, nameable, ofCdn, carrying],
})

/** Those whose addresses caches, routers and monitors are told; what else is in the inventory may have none. */
const haveAddresses = /^(EDGE|MID|CCR|RASCAL)/

function* addressed({ after, data }: Change) {
  if (haveAddresses.test(data.get('types', after.typeId)?.name ?? ''))
    yield* needed(after, 'ipAddress', 'ipNetmask', 'ipGateway')
}

/** A cache is a label of the hosts that it serves. */
function* nameable({ before, after: { hostName } }: Change) {
  const why = before?.hostName === hostName ? null : unfitForDns(hostName)
  if (why !== null) yield { path: 'hostName', text: `hostName ${why}` }
}

function* ofCdn({ before, after, data }: Change) {
  const profile = data.get('profiles', after.profileId)
  if (profile && profile.cdn !== after.cdnId && moved(before, after)) {
    const text = `profileId: the profile ${profile.name} does not belong to the server's CDN`
    yield { path: 'profileId', text }
  }
}

function* carrying({ before, after, data }: Change) {
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
