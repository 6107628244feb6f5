import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('jobs', {
  tenant: (job, data) => data.get('deliveryServices', job.deliveryServiceId)?.tenantId ?? null,
})
