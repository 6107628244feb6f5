import { defineBehaviour } from '../defineBehaviour.js'
import { effects, implied, incomplete } from './deliveryServiceEffects.js'
import { rules } from './deliveryServiceRules.js'

export default defineBehaviour('deliveryServices', {
  rules,
  afterChange: effects,
  incomplete,
  implies: implied,
  tenant: (service) => service.tenantId,
})
