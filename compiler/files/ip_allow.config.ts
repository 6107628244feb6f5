import { joinedRanges, parseRange, rangeText } from '../cdn/addresses.js'
import { clientAccess, privateNets } from '../cdn/clientAccess.js'
import { serverFile } from '../core/defineFile.js'

/** Who may send a cache requests, before version 9 (config-files.md §6.6). The first matching line decides. */
export default serverFile({
  name: 'ip_allow.config',
  view: (context) => {
    const { trusted, children } = clientAccess(context)
    const privates = privateNets.map((net) => rangeText(parseRange(net)!))
    const of = (family: 4 | 6) => joinedRanges((children ?? []).filter((range) => range.family === family))
    const allowed = children ? [...[...of(4), ...of(6)].map(rangeText), ...privates] : []
    return {
      allowed: [...trusted, ...allowed],
      deniedMethods: children ? 'ALL' : 'PUSH|PURGE|DELETE',
    }
  },
})
