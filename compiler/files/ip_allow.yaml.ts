import { netText } from '../cdn/addresses.js'
import { clientAccess, keptFromChildren, privateNets } from '../cdn/clientAccess.js'
import { serverFile } from '../core/defineFile.js'

/**
 * Who may send a cache requests, from version 9 on (config-files.md §6.7). The first matching rule decides, and one
 * that denies some methods allows the others: that is how mids let other caches in, but not purge.
 */
export default serverFile({
  name: 'ip_allow.yaml',
  view: (context) => {
    const { trusted, children } = clientAccess(context)
    return {
      trusted,
      children: children ? [...children.map(netText), ...privateNets] : [],
      keptFromChildren,
      deniedMethods: children ? ['ALL'] : ['PUSH', 'PURGE', 'DELETE'],
    }
  },
})
