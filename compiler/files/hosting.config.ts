import { originAuthority, originOf } from '../cdn/hosts.js'
import {
  assignedInCdn,
  definePerService,
  isLocalLive,
  isMid,
  isNationalLive,
  serviceIds,
  typeName,
} from '../cdn/services.js'
import { storageVolumes } from '../cdn/storage.js'
import { serverFile } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'

/** Which volume an origin's content goes to: live streams to memory, when there is some (config-files.md §6.4). */
export default serverFile({
  name: 'hosting.config',
  view: ({ data, subject, warn }) => {
    const media = storageVolumes(data, subject.profileId, warn).map(({ medium }) => medium)
    if (!media.includes('ram')) return { notes: [], live: [] }
    const notes = media.includes('disk') ? ['1 is the Disk volume', '2 is the RAM volume'] : ['1 is the RAM volume']
    const onMid = isMid(typeName(data, subject.typeId))
    const asking = { data, warn }
    const hosts = onMid ? hostsInCdn(asking, subject.cdnId) : hostsOf(asking, serviceIds(asking, subject), onMid)
    return { notes, live: hosts.map((host) => ({ host, volume: notes.length })) }
  },
})

const hostsInCdn = defineFragment('hosting.config.mids', (making, cdnId: number) =>
  hostsOf(making, assignedInCdn(making, cdnId), true),
)

const hostsOf = (asking: Asking, ids: readonly number[], onMid: boolean) =>
  [...new Set(liveOrigins(asking, ids, { onMid }))].sort()

/** The origin of a live service; only national ones pass through mids. */
const liveOrigins = definePerService('hosting.config', ({ data, warn }, id, { onMid }: { onMid: boolean }) => {
  const service = data.get('deliveryServices', id)
  const type = service ? typeName(data, service.typeId) : ''
  if (!service || !(isNationalLive(type) || (isLocalLive(type) && !onMid))) return null
  const origin = originOf(service, { warn })
  return origin && originAuthority(origin)
})
