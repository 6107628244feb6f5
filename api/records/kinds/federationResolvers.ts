import { isIPv4 } from 'node:net'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/federationResolvers.js'
import { rootTenant } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'

export type Resolver = RecordOf<typeof fields>

export default defineBehaviour('federationResolvers', {
  rules: [({ after, data }) => typeOf('federation', after, data), ofFamily],
  // As its federations: whose clients it has is theirs to know.
  about: ({ id }, data) => {
    const services = data.by('federations', 'resolvers', id).flatMap(({ deliveryServices }) => deliveryServices)
    return services.length === 0
      ? [rootTenant(data)]
      : services.map((service) => data.get('deliveryServices', service)?.tenantId ?? null)
  },
})

function* ofFamily({ after, data }: { after: Resolver; data: Data }) {
  const type = data.get('types', after.typeId)?.name
  const family = isIPv4(after.ipAddress.split('/')[0] ?? '') ? 'RESOLVE4' : 'RESOLVE6'
  if ((type === 'RESOLVE4' || type === 'RESOLVE6') && type !== family) {
    yield { path: 'ipAddress', text: `ipAddress must be an IPv${type.at(-1)} address for the type ${type}` }
  }
}
