import { storageVolumes } from '../cdn/storage.js'
import { profileFile } from '../core/defineFile.js'

export default profileFile({
  name: 'storage.config',
  view: ({ data, subject, warn }) => ({ volumes: storageVolumes(data, subject.id, warn) }),
})
