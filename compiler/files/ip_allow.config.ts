import { joinedRanges, parseRange, rangeText } from '../cdn/addresses.js'
import { clientAccess, keptFromChildren, privateNets } from '../cdn/clientAccess.js'
import { serverFile } from '../core/defineFile.js'

/**
 * Who may send a cache requests, before version 9 (config-files.md §6.6). The first matching line decides, and one that
 * denies some methods allows the others: that is how mids let other caches in, but not purge.
 */
export default serverFile({
  name: 'ip_allow.config',
  view: (context) => {
    const { trusted, children } = clientAccess(context)
    const privates = privateNets.map((net) => rangeText(parseRange(net)!))
    const of = (family: 4 | 6) => joinedRanges((children ?? []).filter((range) => range.family === family))
    return {
      trusted,
      children: children ? [...[...of(4), ...of(6)].map(rangeText), ...privates] : [],
      keptFromChildren: keptFromChildren.join('|'),
      deniedMethods: children ? 'ALL' : 'PUSH|PURGE|DELETE',
    }
  },
})
