import { defineBehaviour } from '../defineBehaviour.js'
import { effects, incomplete } from './deliveryServiceEffects.js'
import { rules } from './deliveryServiceRules.js'

export default defineBehaviour('deliveryServices', {
  rules,
  afterChange: effects,
  incomplete,
  tenant: (service) => service.tenantId,
})
