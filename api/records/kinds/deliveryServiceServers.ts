import type { Transaction } from '../../journal/transaction.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/deliveryServiceServers.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { leaveLocations, locateFor } from './serviceLocations.js'

type Assignment = RecordOf<typeof fields>

/** Whether servers of a type can be given delivery services. */
export const carries = (type: string): boolean => /^(EDGE|ORG)/.test(type)

export default defineBehaviour('deliveryServiceServers', {
  rules,
  afterChange: effects,
})

/** Caches and origins carry what belongs to their own CDN. */
function* rules({ before, after, data }: { before: Assignment | null; after: Assignment; data: Data }) {
  const server = data.get('servers', after.id)
  if (!server) return
  const path = 'deliveryServices'
  const had = new Set(before?.deliveryServices)
  const added = after.deliveryServices.filter((id) => !had.has(id))
  const type = data.get('types', server.typeId)?.name ?? ''
  if (added.length > 0 && !carries(type)) {
    yield { path, text: `${server.hostName} is of type ${type}; only edges and origins carry delivery services` }
  }
  for (const id of added) {
    const service = data.get('deliveryServices', id)
    if (service && service.cdnId !== server.cdnId) {
      yield { path, text: `${service.xmlId} and ${server.hostName} belong to different CDNs` }
    }
  }
}

/** The files of a delivery service are listed by the profiles of its carriers. */
function effects(
  transaction: Transaction,
  { before, after }: { before: Assignment | null; after: Assignment | null },
): void {
  const had = before?.deliveryServices ?? []
  const has = after?.deliveryServices ?? []
  const server = transaction.data.get('servers', (after ?? before)!.id)!
  const [old, now] = [new Set(had), new Set(has)]
  locateFor(
    transaction,
    server.profileId,
    has.filter((id) => !old.has(id)),
  )
  leaveLocations(
    transaction,
    server.profileId,
    had.filter((id) => !now.has(id)),
  )
}
