import type { Data } from '../../schema/data.js'
import type { Origin } from '../../schema/kinds/origins.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { needed } from '../rules.js'

export default defineBehaviour('origins', {
  rules: [({ after }) => needed(after, 'tenantId'), primary],
  tenant: (origin) => origin.tenantId,
})

function* primary({ before, after, data }: { before: Origin | null; after: Origin; data: Data }) {
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
