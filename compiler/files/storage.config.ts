import { profileFile } from '../define.js'
import { storageVolumes } from '../storage.js'

export default profileFile({
  name: 'storage.config',
  view: ({ data, subject, warn }) => ({ volumes: storageVolumes(data, subject.id, warn) }),
})
