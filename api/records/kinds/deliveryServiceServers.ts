import type { Plan } from '../../journal/plan.js'
import type { Data } from '../../schema/data.js'
import { type RecordOf, refs } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'
import { leaveLocations, locateFor } from './serviceLocations.js'

export const fields = { deliveryServices: refs('deliveryServices', { as: ['xmlIds'] }) }

type Assignment = RecordOf<typeof fields>

/** Which delivery services a server carries, under the server's id. Routes are in assignmentRoutes.ts. */
export default defineResource({
  kind: 'deliveryServiceServers',
  label: 'assignment',
  key: null,
  idRefersTo: 'servers',
  fields,
  rules,
  effects,
  routes: [],
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
function effects(plan: Plan, { before, after }: { before: Assignment | null; after: Assignment | null }): void {
  const had = before?.deliveryServices ?? []
  const has = after?.deliveryServices ?? []
  const server = plan.data.get('servers', (after ?? before)!.id)!
  const [old, now] = [new Set(had), new Set(has)]
  locateFor(
    plan,
    server.profileId,
    has.filter((id) => !old.has(id)),
  )
  leaveLocations(
    plan,
    server.profileId,
    had.filter((id) => !now.has(id)),
  )
}

/** Whether servers of a type can be given delivery services. */
export const carries = (type: string): boolean => /^(EDGE|ORG)/.test(type)
