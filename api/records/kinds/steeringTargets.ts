import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/steeringTargets.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'

type Target = RecordOf<typeof fields>

export default defineBehaviour('steeringTargets', {
  rules: [({ after, data }) => typeOf('steering_target', after, data), aimed],
  tenant: (target, data) => data.get('deliveryServices', target.deliveryServiceId)?.tenantId ?? null,
})

function* aimed({ after, data }: { after: Target; data: Data }) {
  const type = data.get('types', after.typeId)?.name ?? ''
  const typeOfService = (id: number) => data.get('types', data.get('deliveryServices', id)?.typeId ?? null)?.name ?? ''
  const steering = typeOfService(after.deliveryServiceId)
  if (!steering.endsWith('STEERING')) {
    yield { path: 'deliveryServiceId', text: 'deliveryServiceId: the delivery service is not of a steering type' }
  }
  if (after.targetId === after.deliveryServiceId) {
    yield { path: 'targetId', text: 'targetId: a delivery service cannot steer to itself' }
  }
  if (type === 'STEERING_WEIGHT' && after.value < 0) yield { path: 'value', text: 'value must be at least 0' }
  if (type.startsWith('STEERING_GEO') && steering !== 'CLIENT_STEERING') {
    yield { path: 'typeId', text: `typeId: ${type} is for delivery services of type CLIENT_STEERING` }
  }
}
