import { rootTenant } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('federations', {
  // Nobody can tell whose one will be that has no delivery services yet.
  about: ({ deliveryServices }, data) =>
    deliveryServices.length === 0
      ? [rootTenant(data)]
      : deliveryServices.map((id) => data.get('deliveryServices', id)?.tenantId ?? null),
  // Without any it would be everybody's, with all that its owners put into it.
  afterChange: (transaction, { before, after }) => {
    if (before && after && before.deliveryServices.length > 0 && after.deliveryServices.length === 0)
      transaction.remove('federations', after.id)
  },
})
