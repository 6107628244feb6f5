import { originAuthority, originOf } from '../cdn/hosts.js'
import { cdnFile } from '../core/defineFile.js'
import { defineFragment } from '../core/fragments.js'

/** Takes the query string out of cache keys, for all services that want it (config-files.md §6.15; up to version 6). */
export default cdnFile({
  name: 'cacheurl.config',
  view: ({ data, subject, warn }) => {
    const origins = data
      .ids('deliveryServices', 'cdnId', subject.id)
      .flatMap((id) => queryless({ data, warn }, id) ?? [])
    const byUrl = new Map(origins.map((origin) => [`${origin.scheme}${origin.authority}`, origin]))
    return { origins: [...byUrl.values()] }
  },
})

const queryless = defineFragment('cacheurl.config', (making, id: number) => {
  const service = making.data.get('deliveryServices', id)
  if (service?.qstringIgnore !== 1) return null
  const origin = originOf(service, making)
  return origin && { scheme: `${origin.scheme}://`, authority: originAuthority(origin) }
})
