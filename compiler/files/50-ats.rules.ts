import { storageVolumes } from '../cdn/storage.js'
import { profileFile } from '../core/defineFile.js'

/** Rules for udev that give the disks and RAM disks to the cache server (config-files.md §6.19: not the SSDs). */
export default profileFile({
  name: '50-ats.rules',
  view: ({ data, subject, warn }) => ({
    devices: storageVolumes(data, subject.id, warn)
      .filter(({ medium }) => medium !== 'ssd')
      .flatMap(({ prefix, letters }) => letters.map((letter) => prefix.replace(/^\/dev\//, '') + letter)),
  }),
})
