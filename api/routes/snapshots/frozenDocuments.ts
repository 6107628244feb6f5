import { defineResource } from '../crud/resource.js'
import { activateVersion, listVersions } from './snapshotVersions.js'

export default defineResource('snapshots', {
  routes: [listVersions, activateVersion],
})
