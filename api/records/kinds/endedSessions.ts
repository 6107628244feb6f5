import { rootTenant } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('endedSessions', {
  // Who logs out is for those to see who look after the installation.
  about: (_ended, data) => [rootTenant(data)],
})
