import { profileValues } from '../cdn/parameters.js'
import { profileFile } from '../core/defineFile.js'

/**
 * The outgoing address is not added here: the file belongs to a profile, and only a server has addresses.
 * A parameter `LOCAL proxy.local.outgoing_ip_to_bind` = `STRING __CACHE_IPV4__` lets the agent fill it in.
 */
export default profileFile({
  name: 'records.config',
  view: (context) => ({ parameters: profileValues(context) }),
})
