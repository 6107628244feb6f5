import { storageVolumes } from '../cdn/storage.js'
import { profileFile } from '../core/defineFile.js'

/** Each medium is a volume of its own; the disks decide how large it really is. */
export default profileFile({
  name: 'volume.config',
  view: ({ data, subject, warn }) => {
    const volumes = storageVolumes(data, subject.id, warn)
    return { volumes, percent: Math.floor(100 / volumes.length) }
  },
})
