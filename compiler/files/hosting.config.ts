import { type CompileContext, serverFile } from '../define.js'
import { originAuthority, originOf } from '../hosts.js'
import type { Reader } from '../reader.js'
import { isLocalLive, isMid, isNationalLive, perService, serviceIds, typeName } from '../services.js'
import { storageVolumes } from '../storage.js'

/** Which volume an origin's content goes to: live streams to memory, when there is some (config-files.md §6.4). */
export default serverFile({
  name: 'hosting.config',
  view: ({ data, subject, warn }) => {
    const media = storageVolumes(data, subject.profileId, warn).map(({ medium }) => medium)
    if (!media.includes('ram')) return { notes: [], live: [] }
    const notes = media.includes('disk') ? ['1 is the Disk volume', '2 is the RAM volume'] : ['1 is the RAM volume']
    const onMid = isMid(typeName(data, subject.typeId))
    const hostsOf = (data: Reader) => {
      const hosts = perService(data, `hosting.config ${onMid}`, serviceIds(data, subject), (data, id) =>
        liveOrigin(data, warn, id, onMid),
      )
      return [...new Set(hosts)].sort()
    }
    const hosts = onMid ? data.memo('hosting.config.mids', String(subject.cdnId), hostsOf) : hostsOf(data)
    return { notes, live: hosts.map((host) => ({ host, volume: notes.length })) }
  },
})

/** The origin of a live service; only national ones pass through mids. */
function liveOrigin(data: Reader, warn: CompileContext['warn'], id: number, onMid: boolean) {
  const service = data.get('deliveryServices', id)
  const type = service ? typeName(data, service.typeId) : ''
  if (!service || !(isNationalLive(type) || (isLocalLive(type) && !onMid))) return null
  const origin = originOf(service, { warn })
  return origin && originAuthority(origin)
}
